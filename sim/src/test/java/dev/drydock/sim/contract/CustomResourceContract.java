package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher.Action;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CRDs: when the server accepts them, and what it validates. */
public abstract class CustomResourceContract extends ApiContract {
  private static final int ESTABLISHED_SECONDS = 120;
  private static final String APPROVAL = "KubernetesAPIApprovalPolicyConformant";

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "soon")
  void aProtectedGroupIsRefusedWithoutAWordOfApproval(@Nullable String approval) {
    var refused =
        catchThrowableOfType(
            KubernetesClientException.class,
            () -> createClusterScoped(definition(uniqueGroup("k8s.io"), approval)));

    assertThat(refused.getCode()).isEqualTo(422);
    assertThat(refused.getStatus().getDetails().getCauses())
        .singleElement()
        .extracting("field", InstanceOfAssertFactories.STRING)
        .isEqualTo("metadata.annotations[api-approved.kubernetes.io]");
  }

  @ParameterizedTest
  @CsvSource({
    "'unapproved, a test', False, UnapprovedAnnotation",
    "https://example.com/approval/1, True, ApprovedAnnotation"
  })
  void aProtectedGroupIsServedAndTellsItsApproval(String approval, String status, String reason) {
    CustomResourceDefinition served = serve(definition(uniqueGroup("k8s.io"), approval));

    assertThat(conditions(awaitCondition(served, APPROVAL)))
        .filteredOn(each -> each.getType().equals(APPROVAL))
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.getStatus()).isEqualTo(status);
              assertThat(condition.getReason()).isEqualTo(reason);
              assertThat(condition.getMessage()).contains(approval);
            });
    assertThat(post(things(served), thing(served, "one", "a", 1)).code()).isEqualTo(201);
  }

  @Test
  void anyOtherGroupNeedsNoApproval() {
    CustomResourceDefinition served = serve(definition(uniqueGroup("drydock.dev"), null));

    assertThat(conditions(served))
        .extracting(CustomResourceDefinitionCondition::getType)
        .doesNotContain(APPROVAL);
  }

  @Test
  void aFieldDeclaredSelectableSelects() {
    CustomResourceDefinition type = serve(definition(uniqueGroup("drydock.dev"), null));
    post(things(type), thing(type, "one", "a", 1));
    Answer last = post(things(type), thing(type, "two", "b", 2));

    assertThat(names(get(things(type) + "?fieldSelector=spec.node%3Db"))).containsExactly("two");
    assertThat(get(things(type) + "?fieldSelector=spec.size%3D2").code())
        .as("not declared")
        .isEqualTo(400);
    var options =
        new ListOptionsBuilder()
            .withResourceVersion(last.json().path("metadata").path("resourceVersion").asText())
            .withFieldSelector("spec.node=b")
            .build();
    var resources =
        client()
            .genericKubernetesResources(type.getSpec().getGroup() + "/v1alpha1", "Thing")
            .inNamespace(namespace());
    try (RecordedWatch<GenericKubernetesResource> watch = RecordedWatch.of(resources, options)) {
      post(things(type), thing(type, "three", "a", 3));
      post(things(type), thing(type, "four", "b", 4));

      await().untilAsserted(() -> assertThat(watch.names(Action.ADDED)).containsExactly("four"));
    }
  }

  @Test
  void rulesOfTheSchemaAreEnforcedOnCreationAndOnChange() {
    CustomResourceDefinition type = serve(definition(uniqueGroup("drydock.dev"), null));

    Answer tooBig = post(things(type), thing(type, "big", "a", 10));
    assertThat(tooBig.code()).isEqualTo(422);
    assertThat(tooBig.causes())
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.getField()).isEqualTo("spec");
              assertThat(cause.getMessage()).isEqualTo("Invalid value: size is less than ten");
            });

    post(things(type), thing(type, "one", "a", 1));
    Answer moved = patch(things(type) + "/one", MERGE_PATCH, "{\"spec\": {\"node\": \"b\"}}");
    assertThat(moved.code()).isEqualTo(422);
    assertThat(moved.causes())
        .singleElement()
        .extracting("message", InstanceOfAssertFactories.STRING)
        .isEqualTo("Invalid value: node never changes");
  }

  @Test
  void specAndStatusAreWrittenApart() {
    CustomResourceDefinition type = serve(definition(uniqueGroup("drydock.dev"), null));
    String both = "{\"spec\": {\"size\": 5}, \"status\": {\"state\": \"done\"}}";

    JsonNode created = post(things(type), thing(type, "one", "a", 1)).json();
    assertThat(created.has("status")).as("dropped at creation").isFalse();
    assertThat(created.path("metadata").path("generation").asInt()).isEqualTo(1);

    JsonNode reported = patch(things(type) + "/one/status", MERGE_PATCH, both).json();
    assertThat(reported.path("spec").path("size").asInt()).isEqualTo(1);
    assertThat(reported.path("status").path("state").asText()).isEqualTo("done");
    assertThat(reported.path("metadata").path("generation").asInt()).isEqualTo(1);

    JsonNode changed =
        patch(things(type) + "/one", MERGE_PATCH, both.replace("done", "undone")).json();
    assertThat(changed.path("spec").path("size").asInt()).isEqualTo(5);
    assertThat(changed.path("status").path("state").asText()).isEqualTo("done");
    assertThat(changed.path("metadata").path("generation").asInt()).isEqualTo(2);
  }

  @Test
  void thereIsNoStrategicMergeForThem() {
    CustomResourceDefinition type = serve(definition(uniqueGroup("drydock.dev"), null));
    post(things(type), thing(type, "one", "a", 1));

    Answer answer =
        patch(things(type) + "/one", STRATEGIC_MERGE_PATCH, "{\"spec\": {\"size\": 5}}");

    assertThat(answer.code()).isEqualTo(415);
  }

  /** The event history of a type begins with the type: an older version is expired. */
  @Test
  void aWatchFromAVersionTheServerHasForgottenEndsWithGone() {
    CustomResourceDefinition type = definition(uniqueGroup("drydock.dev"), null);
    String before = createNode().getMetadata().getResourceVersion();
    serve(type);
    post(things(type), thing(type, "one", "a", 1));

    Answer answer = get(things(type) + "?watch=true&timeoutSeconds=30&resourceVersion=" + before);

    assertThat(answer.code()).as("the refusal comes as an event").isEqualTo(200);
    assertThat(answer.json().path("type").asText()).isEqualTo("ERROR");
    JsonNode status = answer.json().path("object");
    assertThat(status.path("code").asInt()).isEqualTo(410);
    assertThat(status.path("reason").asText()).isEqualTo("Expired");
    assertThat(status.path("message").asText())
        .startsWith("too old resource version: " + before + " (");
  }

  /** The Established condition is set shortly before the whole server serves the type. */
  private CustomResourceDefinition serve(CustomResourceDefinition definition) {
    CustomResourceDefinition served =
        awaitCondition(createClusterScoped(definition), "Established");
    await().untilAsserted(() -> assertThat(get(things(served)).code()).isEqualTo(200));
    return served;
  }

  private CustomResourceDefinition awaitCondition(CustomResourceDefinition type, String condition) {
    return client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .resource(type)
        .waitUntilCondition(
            seen -> conditions(seen).anyMatch(each -> each.getType().equals(condition)),
            ESTABLISHED_SECONDS,
            TimeUnit.SECONDS);
  }

  private static Stream<CustomResourceDefinitionCondition> conditions(
      @Nullable CustomResourceDefinition type) {
    return Optional.ofNullable(type)
        .map(CustomResourceDefinition::getStatus)
        .map(CustomResourceDefinitionStatus::getConditions)
        .stream()
        .flatMap(List::stream);
  }

  private static String uniqueGroup(String domain) {
    return uniqueName("contract") + "." + domain;
  }

  private String things(CustomResourceDefinition type) {
    return "apis/%s/v1alpha1/namespaces/%s/things"
        .formatted(type.getSpec().getGroup(), namespace());
  }

  private static Object thing(CustomResourceDefinition type, String name, String node, int size) {
    return Map.of(
        "apiVersion", type.getSpec().getGroup() + "/v1alpha1",
        "kind", "Thing",
        "metadata", Map.of("name", name),
        "spec", Map.of("node", node, "size", size),
        "status", Map.of("state", "from the start"));
  }

  private static List<String> names(Answer list) {
    return list.json()
        .path("items")
        .valueStream()
        .map(item -> item.path("metadata").path("name").asText())
        .toList();
  }

  private static CustomResourceDefinition definition(String group, @Nullable String approval) {
    CustomResourceDefinition definition =
        Serialization.unmarshal(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: things.%1$s
            spec:
              group: %1$s
              scope: Namespaced
              names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
              versions:
              - name: v1alpha1
                served: true
                storage: true
                subresources: {status: {}}
                selectableFields:
                - jsonPath: .spec.node
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          node: {type: string}
                          size: {type: integer}
                        x-kubernetes-validations:
                        - {rule: self.size < 10, message: size is less than ten}
                        - {rule: self.node == oldSelf.node, message: node never changes}
                      status:
                        type: object
                        properties:
                          state: {type: string}
            """
                .formatted(group),
            CustomResourceDefinition.class);
    if (approval != null) {
      definition.getMetadata().setAnnotations(Map.of("api-approved.kubernetes.io", approval));
    }
    return definition;
  }
}
