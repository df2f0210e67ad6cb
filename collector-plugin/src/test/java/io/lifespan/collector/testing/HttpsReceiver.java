package io.lifespan.collector.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A receiver of OTLP over HTTPS, with a certificate of its own for 127.0.0.1, that takes gzip and
 * answers with a status of the test's choice. Reads requests by OpenTelemetry's own protobuf
 * bindings.
 */
public final class HttpsReceiver implements AutoCloseable {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final HttpsServer server;
  private final Path certificate;
  private final int status;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<String> encodings = new CopyOnWriteArrayList<>();

  private HttpsReceiver(HttpsServer server, Path certificate, int status) {
    this.server = server;
    this.certificate = certificate;
    this.status = status;
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /**
   * Starts it.
   *
   * @param directory where its key and certificate are, or are made
   * @param status that it answers with
   */
  public static HttpsReceiver start(Path directory, int status)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path keys = directory.resolve("keys.p12");
    Path certificate = directory.resolve("certificate.pem");
    if (!Files.exists(certificate)) {
      keytool(
          keys,
          "-genkeypair",
          "-alias",
          "server",
          "-keyalg",
          "EC",
          "-dname",
          "CN=127.0.0.1",
          "-ext",
          "SAN=IP:127.0.0.1");
      keytool(keys, "-exportcert", "-alias", "server", "-rfc", "-file", certificate.toString());
    }
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(keys)));
    return new HttpsReceiver(server, certificate, status);
  }

  /** The base URL. */
  public String endpoint() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The file that a client must trust, PEM. */
  public Path certificate() {
    return certificate;
  }

  /** All spans up to now. */
  public List<Span> spans() {
    return List.copyOf(spans);
  }

  /** The content encoding of each request up to now. */
  public List<String> encodings() {
    return List.copyOf(encodings);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    String encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
    encodings.add(String.valueOf(encoding));
    try (InputStream raw = exchange.getRequestBody();
        InputStream body = "gzip".equals(encoding) ? new GZIPInputStream(raw) : raw) {
      TracesData.parseFrom(body)
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(scope -> spans.addAll(scope.getSpansList())));
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private static void keytool(Path keys, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new java.util.ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", keys.toString(), "-storepass", new String(PASSWORD)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + command);
    }
  }

  private static SSLContext tls(Path keys) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(keys)) {
      store.load(file, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
