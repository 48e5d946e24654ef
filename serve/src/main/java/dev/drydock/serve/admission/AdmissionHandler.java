package dev.drydock.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers an API server's AdmissionReviews by a rule. What cannot be judged is refused. */
public final class AdmissionHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

  /** The API server takes no larger object. */
  private static final int LARGEST_BODY = 8 << 20;

  private final AdmissionRule rule;

  public AdmissionHandler(AdmissionRule rule) {
    this.rule = rule;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY);
      JsonNode request = review(body).path("request");
      if (!exchange.getRequestMethod().equals("POST") || !request.isObject()) {
        exchange.sendResponseHeaders(HttpURLConnection.HTTP_BAD_REQUEST, -1);
        return;
      }
      byte[] answer = answer(request).toString().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private static JsonNode review(byte[] body) {
    try {
      return Json.read(body, body.length);
    } catch (IOException malformed) {
      LOG.debug("not an AdmissionReview", malformed);
      return Json.object();
    }
  }

  private ObjectNode answer(JsonNode request) {
    ObjectNode review = Json.object();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode response = review.putObject("response");
    response.put("uid", request.path("uid").asText());
    try {
      List<String> refusals = rule.refusals(request);
      response.put("allowed", refusals.isEmpty());
      if (!refusals.isEmpty()) {
        refuse(response, HttpURLConnection.HTTP_FORBIDDEN, String.join("; ", refusals));
      }
    } catch (ApiFailure unknown) {
      LOG.warn("an admission could not be judged: {}", unknown.getMessage());
      response.put("allowed", false);
      refuse(
          response,
          HttpURLConnection.HTTP_UNAVAILABLE,
          "it could not be checked: " + unknown.getMessage() + "; try again");
    }
    return review;
  }

  private static void refuse(ObjectNode response, int code, String message) {
    boolean forbidden = code == HttpURLConnection.HTTP_FORBIDDEN;
    response
        .putObject("status")
        .put("code", code)
        .put("reason", forbidden ? "Forbidden" : "ServiceUnavailable")
        .put("message", message);
  }
}
