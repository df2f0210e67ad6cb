package io.lifespan.otel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Masks secrets in arguments, names, paths and bodies before they leave the machine. Thread-safe.
 *
 * <p>It errs on the side of masking. It knows secrets by the name in front of them ({@code
 * --password=x}), by the tool that takes them ({@code mysql -px}), by where they stand ({@code
 * https://user:x@host}) and by their own form.
 */
public final class Redactor {

  /** What a secret is replaced by, unless another mask is chosen. */
  public static final String DEFAULT_MASK = "***";

  private final String mask;
  private final AtomicLong redactions = new AtomicLong();

  public Redactor(String mask) {
    this.mask = mask;
  }

  /** The arguments of a command, secrets masked; argument 0 first. */
  public List<String> arguments(List<String> arguments) {
    List<String> redacted = new ArrayList<>(arguments.size());
    for (String argument : arguments) {
      redacted.add(text(argument));
    }
    return redacted;
  }

  /** Any text, secrets masked. */
  public String text(String text) {
    String redacted = SecretShapes.mask(text, mask);
    if (!redacted.equals(text)) {
      redactions.incrementAndGet();
    }
    return redacted;
  }

  /** How many times something was masked. */
  public long redactions() {
    return redactions.get();
  }
}
