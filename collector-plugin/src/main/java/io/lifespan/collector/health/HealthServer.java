package io.lifespan.collector.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * {@code GET /healthz} and {@code GET /readyz}: 200 and {@code ok}, or 503 and the reasons, a line
 * each. Tells nothing of what is observed.
 */
public final class HealthServer implements AutoCloseable {

  /** So that a few that never finish their request hold up nobody. */
  private static final int THREADS = 8;

  private static final int BACKLOG = 16;

  /** Seconds after which the JDK's server lets go of one that does not finish its request. */
  private static final String REQUEST_LIMIT = "sun.net.httpserver.maxReqTime";

  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, Daemon::new);

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Takes the port; who asks before {@link #start} waits.
   *
   * @throws IOException if the address is not this machine's or the port is taken
   */
  public static HealthServer bind(String host, int port) throws IOException {
    if (System.getProperty(REQUEST_LIMIT) == null) {
      System.setProperty(REQUEST_LIMIT, "5");
    }
    return new HealthServer(
        HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), port), BACKLOG));
  }

  /** Begins to answer. */
  public void start(Health health) {
    server.createContext("/", exchange -> answer(exchange, health));
    server.setExecutor(executor);
    server.start();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }

  private static void answer(HttpExchange exchange, Health health) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean reads =
          exchange.getRequestMethod().equals("GET") || exchange.getRequestMethod().equals("HEAD");
      if (!path.equals("/healthz") && !path.equals("/readyz")) {
        send(exchange, 404, "there are /healthz and /readyz");
      } else if (!reads) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, "only GET and HEAD");
      } else {
        List<String> reasons = path.equals("/healthz") ? health.dead() : health.unready();
        send(exchange, reasons.isEmpty() ? 200 : 503, text(reasons));
      }
    }
  }

  private static String text(List<String> reasons) {
    return reasons.isEmpty() ? "ok" : String.join("\n", reasons);
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static final class Daemon extends Thread {
    Daemon(Runnable task) {
      super(task, "lifespan-health");
      setDaemon(true);
    }
  }
}
