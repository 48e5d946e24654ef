package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.StatusCause;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Server-side apply: field ownership and its effects. */
public abstract class ApplyContract extends ApiContract {
  private static final String APPLY = "application/apply-patch+yaml";

  @Test
  void whatDoesNotExistIsCreated() {
    Answer answer = apply("me", "data: {a: b}");

    assertThat(answer.code()).isEqualTo(201);
    assertThat(answer.json().at("/data/a").asText()).isEqualTo("b");
    assertThat(owned(answer, "me", "Apply").toString()).isEqualTo("{\"f:data\":{\"f:a\":{}}}");
  }

  @Test
  void applyingTheSameAgainWritesNothing() {
    String version = version(apply("me", "data: {a: b}"));

    Answer again = apply("me", "data: {a: b}");

    assertThat(again.code()).isEqualTo(200);
    assertThat(version(again)).isEqualTo(version);
  }

  @Test
  void anotherOwnersFieldIsAConflictThatNamesBoth() {
    apply("me", "data: {a: b, c: d}");

    Answer answer = apply("you", "data: {a: x, e: f}");

    assertThat(answer.code()).isEqualTo(409);
    assertThat(answer.status().getReason()).isEqualTo("Conflict");
    assertThat(answer.status().getMessage())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .data.a");
    assertThat(answer.causes())
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.getReason()).isEqualTo("FieldManagerConflict");
              assertThat(cause.getField()).isEqualTo(".data.a");
              assertThat(cause.getMessage()).isEqualTo("conflict with \"me\"");
            });
    assertThat(read().at("/data").size()).isEqualTo(2);
  }

  @Test
  void severalConflictsAreListedByOwner() {
    apply("me", "data: {a: b, c: d}");

    Answer answer = apply("you", "data: {a: x, c: z}");

    assertThat(answer.status().getMessage())
        .isEqualTo("Apply failed with 2 conflicts: conflicts with \"me\":\n- .data.a\n- .data.c");
    assertThat(answer.causes())
        .extracting(StatusCause::getField)
        .containsExactly(".data.a", ".data.c");
  }

  @Test
  void forceTakesTheFieldOver() {
    apply("me", "data: {a: b, c: d}");

    Answer answer =
        send("PATCH", path() + "?fieldManager=you&force=true", APPLY, yaml("data: {a: x}"));

    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.json().at("/data/a").asText()).isEqualTo("x");
    assertThat(owned(answer, "me", "Apply").toString()).isEqualTo("{\"f:data\":{\"f:c\":{}}}");
    assertThat(owned(answer, "you", "Apply").toString()).isEqualTo("{\"f:data\":{\"f:a\":{}}}");
  }

  @Test
  void theSameValueIsOwnedTogetherAndStaysUntilTheLastOwnerLetsGo() {
    apply("me", "data: {a: b}");
    assertThat(apply("you", "data: {a: b}").code()).isEqualTo(200);

    apply("me", "data: {}");
    assertThat(read().at("/data/a").asText()).isEqualTo("b");

    apply("you", "data: {}");
    assertThat(read().at("/data/a").isMissingNode()).isTrue();
  }

  @Test
  void whatIsNoLongerAppliedGoesUnlessSomebodyElseWroteIt() {
    apply("me", "data: {a: b, c: d, e: f}");
    patch(path() + "?fieldManager=you", MERGE_PATCH, Map.of("data", Map.of("c", "x")));

    Answer answer = apply("me", "data: {e: f}");

    assertThat(answer.json().path("data").properties().toString())
        .contains("c=\"x\"", "e=\"f\"")
        .doesNotContain("a=");
  }

  @Test
  void aPlainWriteTakesWhatItChanges() {
    apply("me", "data: {a: b, c: d}");

    Answer answer =
        patch(
            path() + "?fieldManager=you", MERGE_PATCH, Map.of("data", Map.of("a", "x", "n", "1")));

    assertThat(owned(answer, "me", "Apply").toString()).isEqualTo("{\"f:data\":{\"f:c\":{}}}");
    assertThat(owned(answer, "you", "Update").toString())
        .isEqualTo("{\"f:data\":{\"f:a\":{},\"f:n\":{}}}");
    assertThat(apply("me", "data: {a: b}").status().getMessage())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"you\" using v1: .data.a");
  }

  @Test
  void listsWithKeysAreOwnedElementByElement() {
    String deployment = "apis/apps/v1/namespaces/" + namespace() + "/deployments/web";
    String containers =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers:
              - {name: one, image: a, ports: [{containerPort: 80}]}
              - {name: two, image: b}
        """;
    send("PATCH", deployment + "?fieldManager=me", APPLY, containers);

    Answer answer =
        send(
            "PATCH",
            deployment + "?fieldManager=you",
            APPLY,
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec: {template: {spec: {containers: [{name: two, image: c}, {name: three, image: d}]}}}
            """);

    assertThat(answer.causes())
        .extracting(StatusCause::getField)
        .containsExactly(".spec.template.spec.containers[name=\"two\"].image");
    Answer smaller =
        send(
            "PATCH",
            deployment + "?fieldManager=me",
            APPLY,
            containers.replace("      - {name: two, image: b}\n", ""));
    assertThat(smaller.json().at("/spec/template/spec/containers").findValuesAsText("name"))
        .containsExactly("one");
    assertThat(
            owned(smaller, "me", "Apply").at("/f:spec/f:template/f:spec/f:containers").toString())
        .isEqualTo(
            "{\"k:{\\\"name\\\":\\\"one\\\"}\":{\".\":{},\"f:image\":{},\"f:name\":{},\"f:ports\":"
                + "{\"k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":"
                + "{\".\":{},\"f:containerPort\":{}}}}}");
  }

  @Test
  void theStatusIsAppliedApart() {
    Node node = createNode();

    Answer answer =
        send(
            "PATCH",
            path(node) + "/status?fieldManager=me",
            APPLY,
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            spec: {unschedulable: true}
            status: {conditions: [{type: Drained, status: "True"}]}
            """
                .formatted(node.getMetadata().getName()));

    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.json().at("/spec/unschedulable").asBoolean()).isFalse();
    assertThat(managed(answer))
        .filteredOn(each -> each.path("manager").asText().equals("me"))
        .singleElement()
        .satisfies(each -> assertThat(each.path("subresource").asText()).isEqualTo("status"));
  }

  @Test
  void whoAppliesHasAName() {
    Answer answer = send("PATCH", path(), APPLY, yaml("data: {a: b}"));

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.causes()).extracting(StatusCause::getField).containsExactly("fieldManager");
  }

  @Test
  void anUnknownFieldIsRefused() {
    Answer answer = apply("me", "dta: {a: b}");

    assertThat(answer.code()).isEqualTo(500);
    assertThat(answer.status().getMessage()).endsWith(".dta: field not declared in schema");
  }

  @Test
  void anotherKindIsRefused() {
    Answer answer =
        send(
            "PATCH",
            path() + "?fieldManager=me",
            APPLY,
            yaml("data: {a: b}").replace("ConfigMap", "Secret"));

    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.status().getMessage()).isEqualTo("invalid object type: /v1, Kind=Secret");
  }

  @Test
  void aDryRunWritesNothing() {
    Answer answer =
        send("PATCH", path() + "?fieldManager=me&dryRun=All", APPLY, yaml("data: {a: b}"));

    assertThat(answer.code()).isEqualTo(201);
    assertThat(get(path()).code()).isEqualTo(404);
  }

  @Test
  void ownersCanBeForgotten() {
    apply("me", "data: {a: b}");

    Answer answer =
        patch(path(), MERGE_PATCH, Map.of("metadata", Map.of("managedFields", List.of(Map.of()))));

    assertThat(answer.code()).isEqualTo(200);
    assertThat(managed(answer)).isEmpty();
    assertThat(apply("you", "data: {a: x}").status().getMessage())
        .startsWith("Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1");
  }

  private Answer apply(String manager, String content) {
    return send("PATCH", path() + "?fieldManager=" + manager, APPLY, yaml(content));
  }

  private static String yaml(String content) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, " + content + "}";
  }

  private String path() {
    return "api/v1/namespaces/" + namespace() + "/configmaps/settings";
  }

  private JsonNode read() {
    return get(path()).json();
  }

  private static String version(Answer answer) {
    return answer.json().at("/metadata/resourceVersion").asText();
  }

  private static List<JsonNode> managed(Answer answer) {
    return answer.json().at("/metadata/managedFields").valueStream().toList();
  }

  private static JsonNode owned(Answer answer, String manager, String operation) {
    return managed(answer).stream()
        .filter(entry -> entry.path("manager").asText().equals(manager))
        .filter(entry -> entry.path("operation").asText().equals(operation))
        .map(entry -> entry.path("fieldsV1"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("owns nothing: " + answer));
  }
}
