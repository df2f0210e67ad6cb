package io.lifespan.collector.export;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Keeps the SDK's own log lines off the terminal while it is open: failed exports are told by the
 * {@link DeliveryReport}; what the SDK warns of is kept here.
 */
final class SdkLog implements AutoCloseable {
  private static final int KEPT = 20;

  private final Logger logger = Logger.getLogger("io.opentelemetry");
  private final boolean usedParents = logger.getUseParentHandlers();
  private final Keeper keeper = new Keeper();

  SdkLog() {
    logger.setUseParentHandlers(false);
    logger.addHandler(keeper);
  }

  /** The different warnings up to now, at most 20. */
  List<String> warnings() {
    return keeper.messages();
  }

  @Override
  public void close() {
    logger.removeHandler(keeper);
    logger.setUseParentHandlers(usedParents);
  }

  private static final class Keeper extends Handler {
    private final SimpleFormatter formatter = new SimpleFormatter();
    private final Set<String> messages = new LinkedHashSet<>();

    Keeper() {
      setLevel(Level.WARNING);
    }

    synchronized List<String> messages() {
      return List.copyOf(messages);
    }

    @Override
    public synchronized void publish(LogRecord entry) {
      if (isLoggable(entry) && messages.size() < KEPT) {
        messages.add(formatter.formatMessage(entry));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
