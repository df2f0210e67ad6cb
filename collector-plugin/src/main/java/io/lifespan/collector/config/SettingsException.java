package io.lifespan.collector.config;

import java.util.List;

/** Settings that cannot be used: carries every error found, one line each, ready to print. */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> errors;

  public SettingsException(List<String> errors) {
    super(String.join("\n", errors));
    this.errors = List.copyOf(errors);
  }

  /**
   * Each says which setting, what is wrong with its value, what is allowed, and where it was set.
   */
  public List<String> errors() {
    return errors;
  }
}
