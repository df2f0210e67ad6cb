package io.lifespan.collector;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment as the user has it, byte for byte. The launcher adds variables that the JVM needs
 * and sets aside those that it must not obey: {@code _LIFESPAN_ADDED} names the first, and {@code
 * _LIFESPAN_USER_X} is what the user has as X.
 */
final class UserEnvironment {

  /** Names, separated by commas, what a launcher added; itself included. */
  static final String ADDED = "_LIFESPAN_ADDED";

  /** Stands before the name of what the user has and the JVM must not obey. */
  static final String SET_ASIDE = "_LIFESPAN_USER_";

  private final List<byte[]> entries;

  private UserEnvironment(List<byte[]> entries) {
    this.entries = entries;
  }

  /**
   * The user's part of an environment.
   *
   * @param all its entries, of the form NAME=VALUE
   */
  static UserEnvironment of(List<byte[]> all) {
    Set<String> added = new HashSet<>();
    for (byte[] entry : all) {
      if (name(entry).equals(ADDED)) {
        added.addAll(List.of(value(entry).split(",")));
        added.add(ADDED);
      }
    }
    List<byte[]> kept = new ArrayList<>(all.size());
    for (byte[] entry : all) {
      String name = name(entry);
      if (name.startsWith(SET_ASIDE)) {
        kept.add(Arrays.copyOfRange(entry, SET_ASIDE.length(), entry.length));
      } else if (!added.contains(name)) {
        kept.add(entry);
      }
    }
    return new UserEnvironment(kept);
  }

  /** Every entry, as the user has it. */
  List<byte[]> entries() {
    return List.copyOf(entries);
  }

  /** The variables as text; the first of two with the same name counts, as for getenv(3). */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (byte[] entry : entries) {
      variables.putIfAbsent(name(entry), value(entry));
    }
    return new HashMap<>(variables);
  }

  private static String name(byte[] entry) {
    String text = new String(entry, StandardCharsets.ISO_8859_1);
    int end = text.indexOf('=');
    return end < 0 ? text : text.substring(0, end);
  }

  private static String value(byte[] entry) {
    String text = new String(entry, StandardCharsets.UTF_8);
    return text.substring(text.indexOf('=') + 1);
  }
}
