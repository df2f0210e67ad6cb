package io.lifespan.otel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Masks secrets in arguments, names, paths and bodies before they leave the machine. Thread-safe.
 *
 * <p>It knows a secret by the name in front of it ({@code --password=x}, {@code API_KEY=x}), by the
 * tool that takes it ({@code mysql -px}, {@code htpasswd -b f user x}), by where it stands ({@code
 * https://user:x@host}, a bearer header) and by its own form (tokens of well-known services,
 * private keys). In doubt it masks. It cannot know a secret that looks like any other word.
 */
public final class Redactor {

  /** What a secret is replaced by, unless another mask is chosen. */
  public static final String DEFAULT_MASK = "***";

  /**
   * Nothing shorter than this has room for a name and a secret, or for a secret of a known form.
   */
  private static final int SHORTEST = 6;

  /**
   * Commands within the arguments of commands are followed this deep: {@code sh -c "ssh host 'mysql
   * -px'"}.
   */
  private static final int MAX_DEPTH = 3;

  private final String mask;
  private final SecretNames names;
  private final SecretPairs pairs;
  private final ExtraPatterns extra;
  private final AtomicLong redactions = new AtomicLong();

  /** One that knows no more than it knows by itself. */
  public Redactor(String mask) {
    this(new RedactionRules(mask, List.of(), Set.of()));
  }

  public Redactor(RedactionRules rules) {
    this.mask = rules.mask();
    this.names = new SecretNames(rules.allowed());
    this.pairs = new SecretPairs(names, mask);
    this.extra = new ExtraPatterns(rules.patterns(), mask);
  }

  /** The arguments of a command, secrets masked; argument 0 first. */
  public List<String> arguments(List<String> arguments) {
    List<String> redacted = arguments(arguments, 0);
    if (!extra.isEmpty()) {
      redacted.replaceAll(extra::mask);
    }
    for (int i = 0; i < redacted.size(); i++) {
      count(arguments.get(i), redacted.get(i));
    }
    return redacted;
  }

  /** Any text, secrets masked; a command line in it is understood. */
  public String text(String text) {
    return count(text, extra.mask(text(text, 0)));
  }

  /** How many texts and arguments something was masked in. */
  public long redactions() {
    return redactions.get();
  }

  /** Counts texts that are known from before, so many of them masked. */
  void count(long more) {
    redactions.addAndGet(more);
  }

  private String count(String text, String redacted) {
    if (!redacted.equals(text)) {
      redactions.incrementAndGet();
    }
    return redacted;
  }

  private List<String> arguments(List<String> arguments, int depth) {
    List<String> redacted = new ArrayList<>(arguments.size());
    ToolSecrets tool = null;
    OperandSecrets operands = null;
    boolean wordSeen = false;
    SecretPart next = null;
    boolean program = false;
    for (String argument : arguments) {
      OperandSecrets counting = next == null ? operandsOf(argument) : null;
      SecretPart operand = operands == null || counting != null ? null : operands.next(argument);
      operands = counting == null ? operands : counting;
      if (next != null && !argument.startsWith("--")) {
        redacted.add(next.mask(argument, mask));
        next = null;
        continue;
      }
      ToolSecrets named = toolNamed(argument);
      String masked = operand == null || named != null ? argument : operand.mask(argument, mask);
      if (!masked.equals(argument)) {
        redacted.add(masked);
        continue;
      }
      if (named != null) {
        tool = named;
        wordSeen = named.word() == null;
      } else if (tool != null && argument.equals(tool.word())) {
        wordSeen = true;
      }
      ToolSecrets active = wordSeen && named == null ? tool : null;
      next = counting == null ? partOfNext(argument, active) : null;
      redacted.add(program ? text(argument, depth) : argument(argument, active, depth));
      program = isProgramOption(argument);
    }
    return redacted;
  }

  private static @Nullable ToolSecrets toolNamed(String argument) {
    return argument.startsWith("-") ? null : ToolSecrets.of(base(argument));
  }

  private static @Nullable OperandSecrets operandsOf(String argument) {
    return argument.startsWith("-") ? null : OperandSecrets.of(base(argument));
  }

  private static String base(String argument) {
    return argument.substring(argument.lastIndexOf('/') + 1);
  }

  /** True for {@code -c}, also behind other letters: what follows is the text of a program. */
  private static boolean isProgramOption(String argument) {
    return argument.length() > 1
        && argument.length() < 6
        && argument.charAt(0) == '-'
        && argument.endsWith("c");
  }

  /** Which part of the next argument is a secret; null if none is. */
  private @Nullable SecretPart partOfNext(String argument, @Nullable ToolSecrets tool) {
    ToolSecrets.Option option = tool == null ? null : tool.before(argument);
    if (option != null) {
      return option.part();
    }
    boolean option0 = argument.length() > 2 && argument.charAt(0) == '-';
    boolean setting = argument.indexOf('_') > 0 || argument.indexOf('.') > 0;
    return (option0 || setting) && isName(argument) && names.isSecret(argument)
        ? SecretPart.WHOLE
        : null;
  }

  private String argument(String argument, @Nullable ToolSecrets tool, int depth) {
    ToolSecrets.Option option = tool == null ? null : tool.in(argument);
    if (option != null) {
      int start = option.valueStart(argument);
      return argument.substring(0, start) + option.part().mask(argument.substring(start), mask);
    }
    int equals = argument.indexOf('=');
    if (equals > 0 && equals + 1 < argument.length()) {
      String name = argument.substring(0, equals);
      if (isName(name) && names.isSecret(name)) {
        return argument.substring(0, equals + 1) + mask;
      }
    }
    return text(argument, depth);
  }

  private String text(String text, int depth) {
    if (text.length() < SHORTEST) {
      return text;
    }
    String masked = SecretShapes.mask(text, mask);
    masked = pairs.mask(masked);
    return depth < MAX_DEPTH && masked.indexOf(' ') > 0 && masked.indexOf('-') >= 0
        ? commandLine(masked, depth + 1)
        : masked;
  }

  /** Treats the words of a text as arguments; what is between them stays as it is. */
  private String commandLine(String text, int depth) {
    List<String> words = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    for (int i = 0; i < text.length(); ) {
      if (text.charAt(i) == ' ') {
        i++;
        continue;
      }
      int end = wordEnd(text, i);
      int quotes = isQuoted(text, i, end) ? 1 : 0;
      words.add(text.substring(i + quotes, end - quotes));
      starts.add(i + quotes);
      i = end;
    }
    List<String> redacted = arguments(words, depth);
    StringBuilder line = new StringBuilder(text.length());
    int copied = 0;
    for (int i = 0; i < words.size(); i++) {
      line.append(text, copied, starts.get(i)).append(redacted.get(i));
      copied = starts.get(i) + words.get(i).length();
    }
    return line.append(text, copied, text.length()).toString();
  }

  private static int wordEnd(String text, int start) {
    char quote = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = text.indexOf(c, i + 1) > 0 ? c : 0;
      } else if (c == ' ') {
        return i;
      }
    }
    return text.length();
  }

  private static boolean isQuoted(String text, int start, int end) {
    char first = text.charAt(start);
    return end - start > 1 && (first == '\'' || first == '"') && text.charAt(end - 1) == first;
  }

  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return true;
  }
}
