package dev.drydock.serve.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Json;
import dev.drydock.testkit.LoopbackServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What rules can say, as the API server reads it. */
class AdmissionVerdictTest {
  private static final String REVIEW =
      """
      {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
       "request": {"uid": "u-1", "operation": "CREATE",
         "object": {"kind": "Pod", "spec": {"containers": [{"name": "main"}]}}}}
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private final LoopbackServer server = new LoopbackServer();

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  private AdmissionHandler answerBy(AdmissionRule rule) {
    AdmissionHandler handler = new AdmissionHandler(rule);
    server.handle("/", handler);
    return handler;
  }

  private HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(server.uri("/"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode ask() throws IOException, InterruptedException {
    HttpResponse<String> answer = post(REVIEW);
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode response = Json.read(answer.body()).path("response");
    assertThat(response.path("uid").asText()).isEqualTo("u-1");
    return response;
  }

  @Test
  void anAllowedRequestMayHaveWarningsAndAPatch() throws Exception {
    answerBy(
        request -> {
          assertThat(request.path("object").path("spec").path("containers")).hasSize(1);
          return AdmissionVerdict.ALLOWED
              .warning("spec.old: use spec.new")
              .adding(
                  AdmissionVerdict.path("metadata", "labels", "drydock.dev/x~y"),
                  TextNode.valueOf("é"))
              .replacing("/spec/a", TextNode.valueOf("b"))
              .removing("/spec/c");
        });

    JsonNode response = ask();

    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.path("warnings")).hasToString("[\"spec.old: use spec.new\"]");
    assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
    assertThat(
            new String(
                Base64.getDecoder().decode(response.path("patch").asText()),
                StandardCharsets.UTF_8))
        .isEqualTo(
            "[{\"op\":\"add\",\"path\":\"/metadata/labels/drydock.dev~1x~0y\",\"value\":\"é\"},"
                + "{\"op\":\"replace\",\"path\":\"/spec/a\",\"value\":\"b\"},"
                + "{\"op\":\"remove\",\"path\":\"/spec/c\"}]");
    assertThat(response.has("status")).isFalse();
  }

  @Test
  void aRefusedRequestIsNotPatched() throws Exception {
    answerBy(
        request ->
            AdmissionVerdict.unless(List.of("spec.a: wrong", "spec.b: missing"))
                .warning("look twice")
                .removing("/spec/c"));

    JsonNode response = ask();

    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.path("status").path("code").asInt()).isEqualTo(403);
    assertThat(response.path("status").path("message").asText())
        .isEqualTo("spec.a: wrong; spec.b: missing");
    assertThat(response.path("warnings")).hasSize(1);
    assertThat(response.has("patch")).isFalse();
    assertThat(response.has("patchType")).isFalse();
  }

  @Test
  void aRuleWithABugRefusesWithALineAndIsCounted() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    AdmissionHandler handler =
        answerBy(
                request -> {
                  throw new IllegalStateException("nobody needs to see this");
                })
            .counted(registry, "/validate");

    JsonNode response = ask();

    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.path("status").path("code").asInt()).isEqualTo(500);
    assertThat(response.path("status").path("message").asText())
        .isEqualTo("internal error of drydock; see its log");
    assertThat(handler.failures()).isEqualTo(1);
    assertThat(registry.scrape())
        .contains("drydock_admission_failures_total{webhook=\"/validate\"} 1");
  }

  @Test
  void aRuleThatIsNotNeededLetsPassWhatItCannotJudge() throws Exception {
    AdmissionHandler handler =
        answerBy(
            new AdmissionRule() {
              @Override
              public AdmissionVerdict judge(JsonNode request) {
                throw new ApiFailure(500, "the server is on fire");
              }

              @Override
              public FailurePolicy failurePolicy() {
                return FailurePolicy.IGNORE;
              }
            });

    JsonNode response = ask();

    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.has("status")).isFalse();
    assertThat(response.path("warnings"))
        .hasToString("[\"it could not be checked: the server is on fire; try again\"]");
    assertThat(handler.failures()).isEqualTo(1);
  }

  @Test
  void whatIsNoReviewIsABadRequestWithALine() throws Exception {
    answerBy(request -> AdmissionVerdict.ALLOWED);

    assertThat(post("{\"request\": {}}").statusCode()).isEqualTo(400);
    assertThat(post("{\"request\": {}}").body())
        .isEqualTo("not an AdmissionReview: no uid in its request\n");
    assertThat(post("{}").body()).isEqualTo("not an AdmissionReview: no request\n");
    assertThat(post("").body()).isEqualTo("not an AdmissionReview: no request\n");
    assertThat(post("[1,").body()).startsWith("not an AdmissionReview: ").hasLineCount(1);
    assertThat(post("[1,").statusCode()).isEqualTo(400);
  }

  @Test
  void aBodyOfMoreThanAMebibyteIsRefusedWithoutJudgement() throws Exception {
    AtomicInteger judged = new AtomicInteger();
    AdmissionHandler handler =
        answerBy(
            request -> {
              judged.incrementAndGet();
              return AdmissionVerdict.ALLOWED;
            });
    String filler = "x".repeat(AdmissionHandler.LARGEST_BODY);

    HttpResponse<String> answer =
        post(REVIEW.replace("\"uid\": \"u-1\",", "\"uid\": \"u-1\", \"x\": \"" + filler + "\","));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(judged).hasValue(0);
    assertThat(handler.failures()).isZero();
    assertThat(post(REVIEW).statusCode()).isEqualTo(200);
  }

  @Test
  void aRuleSeesNoManagedFieldsAndAllElse() throws Exception {
    AtomicReference<JsonNode> seen = new AtomicReference<>();
    var _ =
        answerBy(
            request -> {
              seen.set(request);
              return AdmissionVerdict.ALLOWED;
            });

    var _ =
        post(
            REVIEW.replace(
                "\"kind\": \"Pod\",",
                "\"kind\": \"Pod\", \"metadata\": {\"managedFields\": [{}], \"name\": \"a\"},"));

    JsonNode object = seen.get().path("object");
    assertThat(object.path("metadata").has("managedFields")).isFalse();
    assertThat(object.path("metadata").path("name").asText()).isEqualTo("a");
    assertThat(object.path("spec").path("containers")).hasSize(1);
  }
}
