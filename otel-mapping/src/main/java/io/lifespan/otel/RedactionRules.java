package io.lifespan.otel;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a user adds to what a {@link Redactor} knows by itself.
 *
 * @param mask what a secret is replaced by
 * @param patterns what they match is a secret, too; of one with groups, its first group
 * @param allowed names of options, variables and fields whose values are no secrets, whatever they
 *     sound like; without leading dashes, lower case
 */
public record RedactionRules(String mask, List<Pattern> patterns, Set<String> allowed) {

  /** Nothing added. */
  public static final RedactionRules DEFAULT =
      new RedactionRules(Redactor.DEFAULT_MASK, List.of(), Set.of());

  public RedactionRules {
    patterns = List.copyOf(patterns);
    allowed = allowed.stream().map(RedactionRules::plain).collect(Collectors.toUnmodifiableSet());
  }

  /** A name in the form in which names are compared. */
  static String plain(String name) {
    int start = 0;
    while (start < name.length() && name.charAt(start) == '-') {
      start++;
    }
    return name.substring(start).toLowerCase(Locale.ROOT);
  }
}
