package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which webhooks are called before a write, and the effect of their answers. */
public abstract class WebhookContract extends ApiContract {
  private static final String CONFIGURATIONS = "apis/admissionregistration.k8s.io/v1/";
  private static final String MAPS =
      """
      {"operations": ["CREATE", "UPDATE", "DELETE"], "apiGroups": [""], "apiVersions": ["v1"],
       "resources": ["configmaps"]}
      """;

  @TempDir Path folder;
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : toClose) {
      each.close();
    }
  }

  @Test
  void aMutatingWebhookChangesWhatIsWritten() {
    register(
        "mutating",
        MAPS,
        _ ->
            TestingWebhook.patch(
                "[{\"op\": \"add\", \"path\": \"/data\", \"value\": {\"by\": \"webhook\"}}]"));
    awaitActive();

    Answer created = post(maps(), map("one"));

    assertThat(created.code()).isEqualTo(201);
    assertThat(created.json().at("/data/by").asText()).isEqualTo("webhook");
    assertThat(get(maps() + "/one").json().at("/data/by").asText()).isEqualTo("webhook");
  }

  @Test
  void aValidatingWebhookSeesOldAndNewAndTheOperation() {
    TestingWebhook webhook = register("validating", MAPS, WebhookContract::refuseProbes);
    awaitActive();
    post(maps(), map("one"));

    patch(maps() + "/one?dryRun=All", MERGE_PATCH, Map.of("data", Map.of("a", "b")));

    JsonNode question = webhook.questionsAbout("one").getLast();
    assertThat(question.path("operation").asText()).isEqualTo("UPDATE");
    assertThat(question.path("dryRun").asBoolean()).isTrue();
    assertThat(question.path("namespace").asText()).isEqualTo(namespace());
    assertThat(question.at("/resource/resource").asText()).isEqualTo("configmaps");
    assertThat(question.at("/kind/kind").asText()).isEqualTo("ConfigMap");
    assertThat(question.at("/object/data/a").asText()).isEqualTo("b");
    assertThat(question.at("/oldObject/data").isMissingNode()).isTrue();
    assertThat(question.at("/userInfo/username").asText()).isNotEmpty();
  }

  @Test
  void aDenialIsToldInTheWebhooksWords() {
    register(
        "validating",
        MAPS,
        question -> {
          ObjectNode response = TestingWebhook.response(false);
          response.putObject("status").put("message", "not today").put("code", 403);
          return isProbe(question) ? TestingWebhook.response(false) : response;
        });
    awaitActive();

    Answer answer = post(maps(), map("one"));

    assertThat(answer.code()).isEqualTo(403);
    assertThat(answer.status().getMessage())
        .isEqualTo("admission webhook \"test.drydock.dev\" denied the request: not today");
    assertThat(get(maps() + "/one").code()).isEqualTo(404);
    Answer probe = post(maps(), map("probe"));
    assertThat(probe.code()).isEqualTo(400);
    assertThat(probe.status().getMessage())
        .isEqualTo("admission webhook \"test.drydock.dev\" denied the request without explanation");
  }

  @Test
  void warningsAreHandedOn() {
    register(
        "validating",
        MAPS,
        question -> {
          ObjectNode response = refuseProbes(question);
          response.putArray("warnings").add("think again");
          return response;
        });
    awaitActive();

    assertThat(post(maps(), map("one")).warnings()).containsExactly("299 - \"think again\"");
  }

  @Test
  void aDeletionCanBeDenied() {
    register(
        "validating",
        MAPS,
        question ->
            TestingWebhook.response(
                !isProbe(question) && !question.path("operation").asText().equals("DELETE")));
    awaitActive();
    post(maps(), map("one"));

    assertThat(send("DELETE", maps() + "/one", "application/json", "{}").code()).isEqualTo(400);

    assertThat(get(maps() + "/one").code()).isEqualTo(200);
  }

  @Test
  void anEvictionCanBeDenied() {
    TestingWebhook webhook =
        register(
            "validating",
            """
            {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"],
             "resources": ["pods/eviction"]}
            """,
            _ -> TestingWebhook.response(false));
    Pod pod = runPod("web", "web", createNode());

    await().until(() -> evict(pod, Map.of("dryRun", List.of("All"))).code() == 400);

    assertThat(evict(pod).status().getMessage()).startsWith("admission webhook");
    JsonNode question = webhook.questionsAbout("web").getLast();
    assertThat(question.path("subResource").asText()).isEqualTo("eviction");
    assertThat(question.at("/kind/kind").asText()).isEqualTo("Eviction");
    assertThat(question.at("/object/kind").asText()).isEqualTo("Eviction");
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void aWebhookBehindAServiceThatNobodyServesMayFail() {
    String configurations = CONFIGURATIONS + "mutatingwebhookconfigurations";
    Answer registered =
        post(
            configurations,
            """
            {"metadata": {"name": "%1$s"}, "webhooks": [{"name": "test.drydock.dev",
             "clientConfig": {"service": {"namespace": "%1$s", "name": "nobody"}}, "sideEffects": "None",
             "admissionReviewVersions": ["v1"], "failurePolicy": "Ignore",
             "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "%1$s"}},
             "rules": [%2$s]}]}
            """
                .formatted(namespace(), MAPS));
    assertThat(registered.code()).as(registered.toString()).isEqualTo(201);
    toClose.push(
        () -> send("DELETE", configurations + "/" + namespace(), "application/json", "{}"));

    assertThat(post(maps(), map("one")).code()).isEqualTo(201);
  }

  @Test
  void aWebhookThatCannotBeAskedIsARefusalUnlessItMayFail() {
    TestingWebhook webhook = register("validating", MAPS, WebhookContract::refuseProbes);
    awaitActive();
    webhook.close();

    Answer answer = post(maps(), map("one"));

    assertThat(answer.code()).isEqualTo(500);
    assertThat(answer.status().getMessage())
        .startsWith("Internal error occurred: failed calling webhook \"test.drydock.dev\": ");
    patch(
        CONFIGURATIONS + "validatingwebhookconfigurations/" + namespace(),
        "application/json-patch+json",
        "[{\"op\": \"replace\", \"path\": \"/webhooks/0/failurePolicy\", \"value\": \"Ignore\"}]");
    await().until(() -> post(maps(), map("one")).code() == 201);
  }

  @Test
  void aSelectorOfObjectsLimitsWhatIsAskedAbout() {
    TestingWebhook webhook = register("validating", MAPS, _ -> TestingWebhook.response(false));
    patch(
        CONFIGURATIONS + "validatingwebhookconfigurations/" + namespace(),
        STRATEGIC_MERGE_PATCH,
        """
        {"webhooks": [{"name": "test.drydock.dev",
                       "objectSelector": {"matchLabels": {"ask": "yes"}}}]}
        """);
    String labelled = "{\"metadata\": {\"name\": \"probe\", \"labels\": {\"ask\": \"yes\"}}}";
    await().until(() -> post(maps() + "?dryRun=All", labelled).code() == 400);

    await().until(() -> post(maps(), map("one")).code() == 201);

    assertThat(post(maps() + "?dryRun=All", labelled).code()).isEqualTo(400);
    assertThat(webhook.questionsAbout("probe")).isNotEmpty();
  }

  private static boolean isProbe(JsonNode question) {
    return question.path("name").asText().equals("probe");
  }

  private static ObjectNode refuseProbes(JsonNode question) {
    return TestingWebhook.response(!isProbe(question));
  }

  /** A real server starts to call a new webhook after a delay. */
  private void awaitActive() {
    await()
        .until(
            () -> {
              Answer answer = post(maps() + "?dryRun=All", map("probe"));
              return answer.code() != 201 || answer.json().has("data");
            });
  }

  private TestingWebhook register(String kind, String rule, Function<JsonNode, ObjectNode> answer) {
    TestingWebhook webhook = new TestingWebhook(folder, answer);
    toClose.push(webhook);
    String configurations = CONFIGURATIONS + kind + "webhookconfigurations";
    Answer created =
        post(
            configurations,
            """
            {"metadata": {"name": "%s"}, "webhooks": [{"name": "test.drydock.dev",
             "clientConfig": {"url": "%s", "caBundle": "%s"}, "sideEffects": "None",
             "admissionReviewVersions": ["v1"], "timeoutSeconds": 30,
             "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "%1$s"}},
             "rules": [%s]}]}
            """
                .formatted(namespace(), webhook.url(), webhook.caBundle(), rule));
    assertThat(created.code()).as(created.toString()).isEqualTo(201);
    toClose.push(
        () -> send("DELETE", configurations + "/" + namespace(), "application/json", "{}"));
    return webhook;
  }

  private String maps() {
    return "api/v1/namespaces/" + namespace() + "/configmaps";
  }

  private static Map<String, Object> map(String name) {
    return Map.of("metadata", Map.of("name", name));
  }
}
