package io.lifespan.otel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Secrets that are known by their own form, wherever they stand in a text. */
final class SecretShapes {

  /** No secret of a known form is shorter. */
  private static final int SHORTEST = 12;

  /**
   * Each alternative is a whole secret. Quantifiers are possessive, so time grows with length only.
   */
  private static final Pattern SHAPES =
      Pattern.compile(
          String.join(
              "|",
              // AWS access key ids: long-lived, temporary, bearer, context
              "\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b",
              // GitHub: personal, OAuth, user, server, refresh; fine-grained
              "\\bgh[pousr]_[A-Za-z0-9]{30,}+",
              "\\bgithub_pat_[A-Za-z0-9_]{22,}+",
              // GitLab: personal, deploy, runner, trigger, job, feed, mail, agent, OAuth
              "\\bgl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{16,}+",
              // Slack: tokens, and the path of an incoming webhook
              "\\bxox[a-z]-[A-Za-z0-9-]{8,}+",
              "\\bxapp-[A-Za-z0-9-]{8,}+",
              "(?<=hooks\\.slack\\.com/services/)[A-Za-z0-9/]{8,}+",
              // JSON web token: header and claims both begin with the base64 of {"
              "\\beyJ[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{8,}+(?:\\.[A-Za-z0-9_-]*+)?",
              // PEM private key, also one that was cut
              "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}-----|\\z)",
              // Google, Stripe, npm, PyPI, SendGrid, Hugging Face, and the many that begin with sk-
              "\\bAIza[A-Za-z0-9_-]{35}",
              "\\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}+",
              "\\bnpm_[A-Za-z0-9]{30,}+",
              "\\bpypi-[A-Za-z0-9_-]{32,}+",
              "\\bSG\\.[A-Za-z0-9_-]{16,}+\\.[A-Za-z0-9_-]{16,}+",
              "\\bhf_[A-Za-z0-9]{30,}+",
              "\\bsk-[A-Za-z0-9_-]{20,}+"));

  private SecretShapes() {}

  /** The text with every secret of a known form replaced. */
  static String mask(String text, String mask) {
    return mayHold(text) ? SHAPES.matcher(text).replaceAll(Matcher.quoteReplacement(mask)) : text;
  }

  /**
   * True if a form may begin anywhere: far cheaper to see than by trying all of them everywhere.
   */
  private static boolean mayHold(String text) {
    for (int i = 0; i < text.length() - SHORTEST; i++) {
      boolean begins =
          switch (text.charAt(i)) {
            case 'A' -> isOneOf(text, i, "AKIA", "ASIA", "ABIA", "ACCA", "AIza");
            case 'e' -> text.startsWith("eyJ", i);
            case 'g' -> isOneOf(text, i, "gh", "github_pat_", "gl");
            case 'h' -> isOneOf(text, i, "hooks.slack", "hf_");
            case 'n' -> text.startsWith("npm_", i);
            case 'p' -> text.startsWith("pypi-", i);
            case 'r' -> text.startsWith("rk_", i);
            case 's' -> isOneOf(text, i, "sk_", "sk-");
            case 'x' -> isOneOf(text, i, "xox", "xapp-");
            case 'S' -> text.startsWith("SG.", i);
            case '-' -> text.startsWith("-----BEGIN", i);
            default -> false;
          };
      if (begins) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOneOf(String text, int at, String... beginnings) {
    for (String beginning : beginnings) {
      if (text.startsWith(beginning, at)) {
        return true;
      }
    }
    return false;
  }
}
