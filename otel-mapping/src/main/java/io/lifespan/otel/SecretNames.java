package io.lifespan.otel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Tells the names of options, variables, fields and headers whose value is a secret from those that
 * only speak of one: {@code --db-password} and {@code AWS_SECRET_ACCESS_KEY} from {@code
 * --password-file} and {@code max_tokens}.
 */
final class SecretNames {

  private static final int LONGEST = 100;

  private static final Set<String> SECRETS =
      Set.of(
          "secret",
          "secrets",
          "credential",
          "credentials",
          "creds",
          "authorization",
          "bearer",
          "cookie",
          "jwt",
          "psk",
          "passcode",
          "pass",
          "pwd",
          "passwd",
          "bindpw",
          "rootpw",
          "requirepass",
          "sshpass",
          "keypass",
          "storepass",
          "signature",
          "sig");

  /** Words that also stand at the end of longer ones, as in PGPASSWORD. */
  private static final List<String> ENDINGS =
      List.of(
          "password",
          "passwort",
          "passwd",
          "passphrase",
          "secret",
          "token",
          "apikey",
          "storepass",
          "keypass",
          "accesskey",
          "privatekey",
          "secretkey");

  /**
   * A key that is one of these is a secret; a key alone is as a rule a file or the key of a map.
   */
  private static final Set<String> KEYS =
      Set.of(
          "api",
          "access",
          "private",
          "secret",
          "account",
          "encryption",
          "signing",
          "auth",
          "master",
          "shared",
          "client",
          "storage",
          "app",
          "application",
          "consumer",
          "subscription",
          "admin",
          "hmac",
          "service",
          "session",
          "root",
          "unseal",
          "recovery");

  /** What a name that ends in one of these holds is about the secret, not the secret. */
  private static final Set<String> ABOUT =
      Set.of(
          "file",
          "files",
          "filename",
          "path",
          "dir",
          "directory",
          "name",
          "names",
          "id",
          "length",
          "len",
          "limit",
          "size",
          "count",
          "ttl",
          "type",
          "format",
          "url",
          "uri",
          "host",
          "endpoint",
          "stdin",
          "fd",
          "prompt",
          "env",
          "var",
          "policy",
          "algorithm",
          "alg",
          "expiry",
          "expiration",
          "expires",
          "timeout",
          "age",
          "manager",
          "store",
          "helper",
          "command",
          "cmd",
          "provider",
          "source",
          "mode",
          "class",
          "enabled",
          "required",
          "rotation",
          "version",
          "arn",
          "ref",
          "field",
          "header",
          "pattern",
          "scope",
          "scopes",
          "issuer",
          "audience",
          "bytes",
          "jar");

  private static final Set<String> DENIALS =
      Set.of(
          "no", "without", "disable", "skip", "use", "enable", "allow", "require", "max", "min",
          "ask");

  private final Set<String> allowed;

  /**
   * @param allowed names of values that are none, as {@link RedactionRules#allowed()} has them
   */
  SecretNames(Set<String> allowed) {
    this.allowed = allowed;
  }

  /** True if what this name is given is a secret. Leading dashes do not matter, nor does case. */
  boolean isSecret(String name) {
    if (name.length() > LONGEST
        || !mayBeSecret(name)
        || (!allowed.isEmpty() && allowed.contains(RedactionRules.plain(name)))) {
      return false;
    }
    List<String> words = words(name);
    if (words.isEmpty()
        || DENIALS.contains(words.get(0))
        || ABOUT.contains(words.get(words.size() - 1))) {
      return false;
    }
    for (int i = 0; i < words.size(); i++) {
      if (isSecretWord(words, i)) {
        return true;
      }
    }
    return false;
  }

  /** True if a stem of the words below is in the name: most names are done with here, and fast. */
  private static boolean mayBeSecret(String name) {
    for (int i = 0; i < name.length() - 1; i++) {
      boolean stem =
          switch (name.charAt(i) | 0x20) {
            case 'a' -> begins(name, i, "auth");
            case 'b' -> begins(name, i, "bearer");
            case 'c' -> begins(name, i, "cred") || begins(name, i, "cookie");
            case 'j' -> begins(name, i, "jwt");
            case 'k' -> begins(name, i, "key");
            case 'p' -> begins(name, i, "pass") || begins(name, i, "pw") || begins(name, i, "psk");
            case 's' -> begins(name, i, "secret") || begins(name, i, "sig");
            case 't' -> begins(name, i, "token");
            default -> false;
          };
      if (stem) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(String name, int at, String stem) {
    return name.regionMatches(true, at, stem, 0, stem.length());
  }

  private static boolean isSecretWord(List<String> words, int index) {
    String word = words.get(index);
    if (word.equals("key")) {
      return index > 0 && KEYS.contains(words.get(index - 1));
    }
    if (word.equals("pwd")) {
      return words.size() > 1; // PWD alone is the working directory
    }
    if (SECRETS.contains(word)) {
      return true;
    }
    for (String ending : ENDINGS) {
      if (word.endsWith(ending)) {
        return true;
      }
    }
    return false;
  }

  /** The words of a name, lower case: parted by what is not a letter or digit, and by humps. */
  private static List<String> words(String name) {
    List<String> words = new ArrayList<>(4);
    int start = 0;
    for (int i = 0; i <= name.length(); i++) {
      boolean end = i == name.length() || !Character.isLetterOrDigit(name.charAt(i));
      boolean hump =
          !end
              && i > start
              && Character.isUpperCase(name.charAt(i))
              && Character.isLowerCase(name.charAt(i - 1));
      if (end || hump) {
        if (i > start) {
          words.add(name.substring(start, i).toLowerCase(Locale.ROOT));
        }
        start = end ? i + 1 : i;
      }
    }
    return words;
  }
}
