package dev.drydock.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.contracts.FirstLine;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.serve.web.WebServer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the AdmissionReviews of API servers with a rule. If the rule fails, its failure policy
 * decides, so that the API server always gets an answer.
 */
public final class AdmissionHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

  /** Real objects are much smaller, and a parsed one takes many times its size. */
  static final int LARGEST_BODY = 1 << 20;

  private static final int TOO_LARGE = 413;

  /** What no rule needs and most objects have. */
  private static final Set<String> SKIPPED = Set.of("managedFields");

  private final AdmissionRule rule;
  private final LongAdder failures = new LongAdder();

  public AdmissionHandler(AdmissionRule rule) {
    this.rule = rule;
  }

  /** The number of requests that could not be evaluated. */
  public long failures() {
    return failures.sum();
  }

  /** Publishes the number of requests that could not be evaluated as a metric. */
  public AdmissionHandler counted(MeterRegistry registry, String webhook) {
    FunctionCounter.builder("drydock_admission_failures_total", this, AdmissionHandler::failures)
        .description("Admission requests that could not be evaluated.")
        .tag("webhook", webhook)
        .register(registry);
    return this;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode request;
      try (BoundedBody body = new BoundedBody(exchange.getRequestBody(), LARGEST_BODY)) {
        request = request(exchange.getRequestMethod(), body);
      } catch (BoundedBody.TooLarge large) {
        WebServer.answer(
            exchange, TOO_LARGE, "text/plain; charset=utf-8", large.getMessage() + "\n");
        return;
      } catch (IOException malformed) {
        LOG.debug("not an AdmissionReview", malformed);
        String why = FirstLine.of(malformed);
        WebServer.answer(
            exchange,
            HttpURLConnection.HTTP_BAD_REQUEST,
            "text/plain; charset=utf-8",
            "not an AdmissionReview: " + why + "\n");
        return;
      }
      WebServer.answer(
          exchange, HttpURLConnection.HTTP_OK, "application/json", answer(request).toString());
    }
  }

  private static JsonNode request(String method, InputStream body) throws IOException {
    if (!method.equals("POST")) {
      throw new IOException("method " + method + ", expected POST");
    }
    JsonNode request = Json.read(body, SKIPPED).path("request");
    if (!request.isObject()) {
      throw new IOException("no request");
    }
    if (Fields.text(request, "uid").isEmpty()) {
      throw new IOException("no uid in its request");
    }
    return request;
  }

  private ObjectNode answer(JsonNode request) {
    ObjectNode review = Json.object();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode response = review.putObject("response");
    response.put("uid", Fields.text(request, "uid"));
    var _ = Bugs.call(() -> judge(request, response), bug -> broke(bug, response));
    return review;
  }

  private ObjectNode judge(JsonNode request, ObjectNode response) {
    try {
      write(rule.judge(request), response);
    } catch (ExpectedFailure unknown) {
      LOG.warn("cannot evaluate an admission request: {}", unknown.getMessage());
      unjudged(
          response,
          new Status(HttpURLConnection.HTTP_UNAVAILABLE, "ServiceUnavailable"),
          "it could not be checked: " + unknown.getMessage() + "; try again");
    }
    return response;
  }

  private ObjectNode broke(Throwable bug, ObjectNode response) {
    LOG.error("cannot evaluate an admission request: unexpected exception", bug);
    unjudged(
        response,
        new Status(HttpURLConnection.HTTP_INTERNAL_ERROR, "InternalError"),
        "internal error of drydock; see its log");
    return response;
  }

  private static void write(AdmissionVerdict verdict, ObjectNode response) {
    response.put("allowed", verdict.isAllowed());
    if (!verdict.isAllowed()) {
      refuse(
          response,
          new Status(HttpURLConnection.HTTP_FORBIDDEN, "Forbidden"),
          String.join("; ", verdict.refusals()));
    } else if (!verdict.patch().isEmpty()) {
      String patch = Json.array().addAll(verdict.patch()).toString();
      response
          .put("patchType", "JSONPatch")
          .put("patch", Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
    }
    verdict.warnings().forEach(line -> response.withArray("/warnings").add(line));
  }

  private record Status(int code, String reason) {}

  private void unjudged(ObjectNode response, Status status, String message) {
    failures.increment();
    boolean ignored = rule.failurePolicy() == AdmissionRule.FailurePolicy.IGNORE;
    response.put("allowed", ignored);
    if (ignored) {
      response.putArray("warnings").add(message);
    } else {
      refuse(response, status, message);
    }
  }

  private static void refuse(ObjectNode response, Status status, String message) {
    response
        .putObject("status")
        .put("code", status.code())
        .put("reason", status.reason())
        .put("message", message);
  }
}
