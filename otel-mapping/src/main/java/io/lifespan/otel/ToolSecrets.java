package io.lifespan.otel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options by which well-known tools take secrets, where the option's name does not tell.
 *
 * @param word a word that must come before, such as {@code login}; null if none
 * @param switches letters that may stand together before an option's letter; empty if that is not
 *     usual
 * @param options the options
 */
record ToolSecrets(@Nullable String word, String switches, List<Option> options) {

  /**
   * An option that takes a secret.
   *
   * @param flag as it is written, with its dashes; a word without dashes is an option too
   * @param attached true if the value may follow in the same argument
   * @param separate true if the value may be the next argument
   */
  record Option(String flag, boolean attached, boolean separate, SecretPart part) {

    /** Where in an argument the value begins; 0 if it is not in it. */
    int valueStart(String argument) {
      if (!attached || !argument.startsWith(flag) || argument.length() == flag.length()) {
        return 0;
      }
      if (flag.endsWith(":")) {
        return flag.length();
      }
      boolean letter = flag.length() == 2 && flag.charAt(0) == '-';
      if (letter || argument.charAt(flag.length()) == '=') {
        return letter ? flag.length() : flag.length() + 1;
      }
      return 0;
    }
  }

  private static final Map<String, ToolSecrets> BY_NAME = new HashMap<>();

  static {
    ToolSecrets mysql = tool(attached("-p"));
    add(mysql, "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck");
    add(mysql, "mysqlslap", "mysqlpump", "mysqlbinlog", "mysqlsh", "mycli", "xtrabackup");
    add(mysql, "mariadb", "mariadb-dump", "mariadb-admin", "mariadb-import", "mariadb-backup");
    add(tool(both("-p")), "sshpass", "mongo", "mongosh", "mongodump", "mongorestore");
    add(tool(both("-p")), "mongoexport", "mongoimport", "useradd", "usermod", "rdesktop");
    ToolSecrets login = new ToolSecrets("login", "", List.of(both("-p"), both("-P")));
    add(login, "docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "az");
    add(
        new ToolSecrets(
            null,
            "sSkLfivgjJnNOqRIaG0146#",
            List.of(
                both("-u", SecretPart.AFTER_COLON),
                both("-U", SecretPart.AFTER_COLON),
                both("-b", SecretPart.AFTER_EQUALS),
                both("--user", SecretPart.AFTER_COLON),
                both("--proxy-user", SecretPart.AFTER_COLON),
                both("--cert", SecretPart.AFTER_COLON),
                both("-E", SecretPart.AFTER_COLON))),
        "curl");
    ToolSecrets httpie =
        tool(both("-a", SecretPart.AFTER_COLON), both("--auth", SecretPart.AFTER_COLON));
    add(httpie, "http", "https", "xh", "xhs");
    add(tool(both("-A", SecretPart.AFTER_COLON), both("-P", SecretPart.AFTER_COLON)), "ab");
    ToolSecrets redis = tool(both("-a"), separate("AUTH"), separate("auth"));
    add(redis, "redis-cli", "valkey-cli", "keydb-cli");
    ToolSecrets ldap = tool(both("-w"));
    add(ldap, "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldapcompare");
    add(tool(both("-w"), both("-s"), both("-a")), "ldappasswd");
    add(tool(both("-P")), "sqlcmd", "bcp", "tsql", "zip", "unzip", "ipmitool");
    add(tool(both("-P")), "mosquitto_pub", "mosquitto_sub");
    add(tool(attached("-p")), "7z", "7za", "7zr", "rar", "unrar");
    add(tool(both("-U", SecretPart.AFTER_PERCENT)), "smbclient", "rpcclient", "smbget");
    add(tool(both("-u", SecretPart.AFTER_COMMA)), "lftp");
    add(
        tool(
            separate("-passin", SecretPart.AFTER_COLON),
            separate("-passout", SecretPart.AFTER_COLON),
            separate("-pass", SecretPart.AFTER_COLON),
            separate("-k"),
            separate("-K")),
        "openssl");
    ToolSecrets literal = tool(both("--from-literal", SecretPart.AFTER_EQUALS));
    add(literal, "kubectl", "oc");
    add(tool(both("-A"), both("-X"), both("-c")), "snmpget", "snmpwalk", "snmpset", "snmptrap");
    add(tool(separate("password")), "nmcli");
    add(tool(separate("login")), "vault");
    SecretPart slash = SecretPart.SLASH_TO_AT;
    add(tool(both("userid", slash)), "sqlldr", "expdp", "impdp", "exp", "imp");
    add(tool(separate("target", slash), separate("catalog", slash)), "rman");
    add(tool(both("-U", SecretPart.AFTER_PERCENT)), "net");
    add(tool(attached("/p:"), attached("/gp:")), "xfreerdp", "xfreerdp3", "wlfreerdp");
    add(tool(both("-N"), both("-P")), "ssh-keygen");
    add(tool(separate("user_pw"), separate("owner_pw"), separate("input_pw")), "pdftk");
    add(tool(both("-p")), "ncftpget", "ncftpput", "ncftpls", "steghide");
  }

  /** What is known of a program, by its base name; null if nothing. */
  static @Nullable ToolSecrets of(String program) {
    return BY_NAME.get(program);
  }

  /** The option whose value is the next argument; null if this argument is none. */
  @Nullable Option before(String argument) {
    for (Option option : options) {
      if (option.separate && (argument.equals(option.flag) || isCluster(argument, option))) {
        return option;
      }
    }
    return null;
  }

  /** The option whose value is in this argument; null if there is none. */
  @Nullable Option in(String argument) {
    for (Option option : options) {
      if (option.valueStart(argument) > 0) {
        return option;
      }
    }
    return null;
  }

  /** True for {@code -sSu}: switches, the option's letter last. */
  private boolean isCluster(String argument, Option option) {
    int last = argument.length() - 1;
    if (switches.isEmpty() || option.flag.length() != 2 || last < 2 || argument.charAt(0) != '-') {
      return false;
    }
    for (int i = 1; i < last; i++) {
      if (switches.indexOf(argument.charAt(i)) < 0) {
        return false;
      }
    }
    return argument.charAt(last) == option.flag.charAt(1);
  }

  private static void add(ToolSecrets tool, String... names) {
    for (String name : names) {
      BY_NAME.put(name, tool);
    }
  }

  private static ToolSecrets tool(Option... options) {
    return new ToolSecrets(null, "", Arrays.asList(options));
  }

  private static Option attached(String flag) {
    return new Option(flag, true, false, SecretPart.WHOLE);
  }

  private static Option separate(String flag) {
    return separate(flag, SecretPart.WHOLE);
  }

  private static Option separate(String flag, SecretPart part) {
    return new Option(flag, false, true, part);
  }

  private static Option both(String flag) {
    return both(flag, SecretPart.WHOLE);
  }

  private static Option both(String flag, SecretPart part) {
    return new Option(flag, true, true, part);
  }
}
