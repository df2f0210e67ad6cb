package io.lifespan.collector.agentextension;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A small HTTP service that knows nothing of tracing: runs what is asked for in a shell, answers
 * with its output. Tells its port on standard output, and ends when its standard input does.
 */
final class ShellingService {

  private ShellingService() {}

  public static void main(String[] arguments) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/shell", ShellingService::shell);
    server.createContext("/exec", ShellingService::exec);
    server.createContext("/threads", ShellingService::threads);
    server.start();
    System.out.println("port " + server.getAddress().getPort());
    while (System.in.read() >= 0) {
      // until whoever started it is done
    }
    System.exit(0);
  }

  private static void shell(HttpExchange exchange) throws IOException {
    answer(exchange, new ProcessBuilder("sh", "-c", exchange.getRequestURI().getQuery()).start());
  }

  private static void exec(HttpExchange exchange) throws IOException {
    String[] command = {"sh", "-c", exchange.getRequestURI().getQuery()};
    answer(exchange, Runtime.getRuntime().exec(command, new String[] {"PATH=/usr/bin:/bin"}));
  }

  private static void threads(HttpExchange exchange) throws IOException {
    StringBuilder names = new StringBuilder();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      names.append(thread.getName()).append(thread.isDaemon() ? " daemon\n" : "\n");
    }
    answer(exchange, names.toString());
  }

  private static void answer(HttpExchange exchange, Process process) throws IOException {
    answer(exchange, new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
