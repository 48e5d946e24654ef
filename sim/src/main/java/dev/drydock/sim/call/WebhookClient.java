package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Calls webhooks; HTTPS connections trust the CA bundle of the configuration. */
final class WebhookClient implements AutoCloseable {
  /** One client per set of trusted certificates. */
  private final Map<String, HttpClient> clients = new ConcurrentHashMap<>();

  /** The {@code response} of the review. */
  JsonNode ask(Webhook webhook, ObjectNode question) throws IOException, InterruptedException {
    if (JsonTrees.at(webhook.json(), "clientConfig").has("service")) {
      throw new IOException("no service has endpoints here");
    }
    ObjectNode review = JsonTrees.object().put("kind", "AdmissionReview");
    review.put("apiVersion", "admission.k8s.io/v1").set("request", question);
    int seconds = webhook.json().path("timeoutSeconds").asInt();
    String url = JsonTrees.text(webhook.json(), "clientConfig", "url");
    String separator = url.contains("?") ? "&" : "?";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + separator + "timeout=" + seconds + "s"))
            .timeout(Duration.ofSeconds(seconds))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(review.toString()))
            .build();
    String trusted = JsonTrees.text(webhook.json(), "clientConfig", "caBundle");
    HttpResponse<byte[]> answer =
        clients
            .computeIfAbsent(trusted, WebhookClient::clientTrusting)
            .send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException("it answered with code " + answer.statusCode());
    }
    JsonNode response = JsonTrees.MAPPER.readTree(answer.body()).path("response");
    if (!JsonTrees.text(response, "uid").equals(JsonTrees.text(question, "uid"))) {
      throw new IOException("expected response.uid=" + question.path("uid"));
    }
    return response;
  }

  private static HttpClient clientTrusting(String bundle) {
    HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    if (bundle.isEmpty()) {
      return client.build();
    }
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      byte[] pem = Base64.getDecoder().decode(bundle);
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))) {
        trusted.setCertificateEntry("trusted-" + trusted.size(), each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return client.sslContext(context).build();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("not a CA bundle: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    clients.values().forEach(HttpClient::shutdownNow);
  }
}
