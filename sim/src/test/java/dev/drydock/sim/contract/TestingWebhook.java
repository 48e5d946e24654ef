package dev.drydock.sim.contract;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A webhook on loopback with scripted answers that records its requests. */
final class TestingWebhook implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final List<JsonNode> questions = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;
  private final String caBundle;

  /** The answer is the {@code response} of the review, without the UID. */
  TestingWebhook(Path folder, Function<JsonNode, ObjectNode> answer) {
    try {
      KeyStore keys = selfSigned(folder);
      caBundle = pem(keys);
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> handle(exchange, answer));
    server.start();
  }

  private static KeyStore selfSigned(Path folder) throws IOException, GeneralSecurityException {
    Path file = folder.resolve("webhook.p12");
    try {
      int code =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "webhook",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=webhook",
                  "-ext",
                  "SAN=IP:127.0.0.1",
                  "-ext",
                  "BC=ca:true",
                  "-keystore",
                  file.toString(),
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  new String(PASSWORD))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (code != 0) {
        throw new IOException("keytool ended with " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static String pem(KeyStore keys) throws GeneralSecurityException {
    byte[] certificate = keys.getCertificate("webhook").getEncoded();
    String pem =
        "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(certificate));
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  private void handle(HttpExchange exchange, Function<JsonNode, ObjectNode> answer)
      throws IOException {
    try (exchange) {
      JsonNode review = JSON.readTree(exchange.getRequestBody().readAllBytes());
      JsonNode question = review.path("request");
      questions.add(question);
      ObjectNode response = answer.apply(question);
      response.set("uid", question.path("uid"));
      ObjectNode reply = JSON.createObjectNode();
      reply.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
      reply.set("response", response);
      byte[] body = JSON.writeValueAsBytes(reply);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  static ObjectNode response(boolean allowed) {
    return JSON.createObjectNode().put("allowed", allowed);
  }

  /** Allows the request and patches the object. */
  static ObjectNode patch(String operations) {
    byte[] bytes = operations.getBytes(StandardCharsets.UTF_8);
    return response(true)
        .put("patchType", "JSONPatch")
        .put("patch", Base64.getEncoder().encodeToString(bytes));
  }

  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort() + "/ask";
  }

  String caBundle() {
    return caBundle;
  }

  /** The requests about objects of this name. */
  List<JsonNode> questionsAbout(String name) {
    return questions.stream()
        .filter(each -> requireNonNull(each).path("name").asText().equals(name))
        .toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
