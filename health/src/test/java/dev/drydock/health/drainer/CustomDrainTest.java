package dev.drydock.health.drainer;

import static dev.drydock.health.drainer.NodeDrainerFixture.IMMEDIATE;
import static dev.drydock.health.drainer.NodeDrainerFixture.fault;
import static dev.drydock.health.drainer.NodeDrainerFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.drainer.NodeDrainerFixture.Operator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Drains that are left to another controller, which these tests stand in for. */
class CustomDrainTest {
  private static final String SUCCEEDED = "Succeeded";
  private static final String DRAINING = "draining";
  private static final String MESSAGE = "GPU \"0\" has\nfallen: {{ off }} the bus";

  private final NodeDrainerFixture fixture = NodeDrainerFixture.withDrainRequests();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Map<String, Object> spec(GenericKubernetesResource resource) {
    return resource.get("spec");
  }

  @Test
  void thePublishedConfigurationAndTemplateWorkToTheLetter() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ = fixture.operator(fixture.published())) {
      String first = fixture.send(fault(node).message(MESSAGE));
      String second = fixture.send(fault(node).entity("GPU", "1"));
      GenericKubernetesResource request = fixture.onlyRequest();

      assertThat(request.getMetadata().getName()).isEqualTo("drain-%s-%s".formatted(node, first));
      assertThat(request.getMetadata().getNamespace()).isEqualTo("nvsentinel");
      assertThat(fixture.annotations(request)).containsEntry("drydock.dev/drainer", "custom");
      assertThat(spec(request))
          .containsEntry("nodeName", node)
          .containsEntry("errorCode", List.of("79"))
          .containsEntry("entitiesImpacted", List.of(Map.of("type", "GPU", "value", "0")))
          .containsEntry("reason", MESSAGE);
      assertThat(fixture.state(node)).isEqualTo(DRAINING);
      assertThat(fixture.record(node).orElseThrow().by()).contains("DrainRequest", "custom");
      fixture.cluster().pass(Duration.ofMinutes(1));
      assertThat(fixture.pods(node)).as("not our business").containsExactly("apps/web");

      fixture.report(request, "Complete", "all pods are gone");
      fixture.cluster().pass(Duration.ofSeconds(1));

      assertThat(fixture.drain(first)).isEqualTo(SUCCEEDED);
      assertThat(fixture.drain(second)).isEqualTo("AlreadyDrained");
      assertThat(fixture.message(first)).contains("has drained the node: all pods are gone");
      assertThat(fixture.state(node)).isEqualTo("drain-succeeded");
      assertThat(fixture.requests()).isEmpty();
      assertThat(fixture.record(node).orElseThrow().message()).contains("all pods are gone");
      String third = fixture.send(fault(node).entity("GPU", "2"));
      fixture.eventuallyDrain(third, "AlreadyDrained");
      assertThat(fixture.requests()).isEmpty();
      assertThat(fixture.holds(node)).doesNotContain("node-drainer");
    }
  }

  @Test
  void aPluginThatNeverAnswersHasItsTimeAlsoOverARestart() {
    String node = fixture.addNode();
    String id;
    try (Operator _ = fixture.operator(fixture.published())) {
      id = fixture.send(fault(node));
      fixture.onlyRequest();
      fixture.cluster().pass(Duration.ofMinutes(20));
    }
    try (Operator _ = fixture.operator(fixture.published())) {
      fixture.cluster().pass(Duration.ofMinutes(9));
      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      assertThat(fixture.message(id)).contains("is not complete");
      fixture.cluster().pass(Duration.ofMinutes(2));

      assertThat(fixture.drain(id)).isEqualTo("Failed");
      assertThat(fixture.message(id)).contains("is not complete after 30m");
      assertThat(fixture.state(node)).isEqualTo("drain-failed");
      assertThat(fixture.events(node, "CustomDrainTimeout")).hasSize(1);
      assertThat(
              fixture.count("node_drainer_processing_errors", "error_type", "custom_drain_timeout"))
          .isEqualTo(1);
      assertThat(fixture.requests()).isEmpty();
    }
  }

  @Test
  void aTimeoutMayAlsoCountAsDone() {
    String node = fixture.addNode();
    String toml = fixture.published().replace("\"1800\"", "\"90s\"") + "onTimeout = \"proceed\"\n";
    try (Operator _ = fixture.operator(toml)) {
      String id = fixture.send(fault(node));
      fixture.onlyRequest();
      fixture.cluster().pass(Duration.ofMinutes(2));

      assertThat(fixture.drain(id)).isEqualTo(SUCCEEDED);
      assertThat(fixture.message(id)).contains("after 1m30s", "says to proceed");
    }
  }

  @Test
  void aPluginThatAnswersFailureEndsTheDrainAndTheNextEventTriesAgain() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      fixture.report(fixture.onlyRequest(), "Failed", "the scheduler refuses");
      fixture.cluster().pass(Duration.ofSeconds(1));

      assertThat(fixture.drain(id)).isEqualTo("Failed");
      assertThat(fixture.message(id)).contains("has failed: the scheduler refuses");
      assertThat(fixture.state(node)).isEqualTo("drain-failed");
      assertThat(fixture.requests()).isEmpty();

      String next = fixture.send(fault(node).entity("GPU", "4"));
      fixture.report(fixture.onlyRequest(), "Complete", "done");
      fixture.eventuallyDrain(next, SUCCEEDED);
    }
  }

  @Test
  void theKindIsRemovedAndPutBack() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      fixture.onlyRequest();
      var crds =
          fixture
              .cluster()
              .client()
              .apiextensions()
              .v1()
              .customResourceDefinitions()
              .withName("drainrequests.nvsentinel.nvidia.com");
      var crd = crds.require();

      crds.delete();
      fixture.eventuallyDrain(id, "Failed");
      assertThat(fixture.message(id)).contains("does not serve DrainRequest");
      assertThat(fixture.state(node)).isEqualTo("drain-failed");
      assertThat(fixture.count("node_drainer_custom_drain_crd_not_found", "node", node))
          .isGreaterThan(0);

      crd.getMetadata().setResourceVersion(null);
      crd.getMetadata().setUid(null);
      fixture.cluster().client().resource(crd).create();
      fixture.report(fixture.onlyRequest(), "Complete", "done");
      fixture.eventuallyDrain(id, SUCCEEDED);
      assertThat(fixture.state(node)).isEqualTo("drain-succeeded");
    }
  }

  @Test
  void aResourceThatAPersonDeletesIsMadeAgain() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      GenericKubernetesResource first = fixture.onlyRequest();
      fixture.cluster().pass(Duration.ofSeconds(5));

      fixture.cluster().client().resource(first).delete();
      fixture
          .cluster()
          .eventually()
          .until(
              () ->
                  fixture.requests().stream()
                      .anyMatch(
                          each ->
                              !each.getMetadata().getUid().equals(first.getMetadata().getUid())));

      assertThat(
              fixture.count("node_drainer_processing_errors", "error_type", "custom_drain_deleted"))
          .isEqualTo(1);
      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      fixture.report(fixture.onlyRequest(), "Complete", "done");
      fixture.eventuallyDrain(id, SUCCEEDED);
    }
  }

  @Test
  void aRecoveryDeletesTheResource() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      fixture.onlyRequest();

      fixture.send(recovery(node));
      fixture.cluster().pass(Duration.ofSeconds(1));

      assertThat(fixture.drain(id)).isEqualTo("Cancelled");
      assertThat(fixture.requests()).isEmpty();
      assertThat(fixture.state(node)).isEmpty();
    }
  }

  /** Whoever may create resources of the kind in another namespace decides nothing by that. */
  @Test
  void aForgedResourceInAnotherNamespaceNeitherEndsNorHoldsUpADrain() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      GenericKubernetesResource forged = fixture.onlyRequest();
      forged.setMetadata(
          new ObjectMetaBuilder()
              .withName(forged.getMetadata().getName())
              .withNamespace("apps")
              .withLabels(forged.getMetadata().getLabels())
              .withAnnotations(forged.getMetadata().getAnnotations())
              .build());
      GenericKubernetesResource created = fixture.cluster().client().resource(forged).create();
      fixture.report(created, "Complete", "forged");
      fixture.cluster().pass(Duration.ofMinutes(1));

      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      assertThat(fixture.requests())
          .extracting(each -> each.getMetadata().getNamespace())
          .as("nor is it deleted")
          .containsExactlyInAnyOrder("nvsentinel", "apps");
    }
  }

  @Test
  void aNodeThatGoesAwayLeavesNoResource() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      fixture.onlyRequest();
      fixture.cluster().client().nodes().withName(node).delete();

      fixture.eventuallyDrain(id, "Cancelled");
      fixture.cluster().eventually().until(() -> fixture.requests().isEmpty());
    }
  }

  @Test
  void aResourceThatIsBeingDeletedCountsInItsOwnQuarantineOnly() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String first = fixture.send(fault(node));
      GenericKubernetesResource held = fixture.onlyRequest();
      held.getMetadata().setFinalizers(List.of("nvsentinel.nvidia.com/slinky-drainer"));
      GenericKubernetesResource updated = fixture.cluster().client().resource(held).update();
      fixture.report(updated, "Complete", "done");
      fixture.eventuallyDrain(first, SUCCEEDED);
      assertThat(fixture.requests().getFirst().getMetadata().getDeletionTimestamp()).isNotNull();
      fixture.send(recovery(node));
      fixture.cluster().pass(Duration.ofSeconds(2));

      String second = fixture.send(fault(node));
      fixture.cluster().eventually().until(() -> fixture.requests().size() == 2);

      assertThat(fixture.drain(second)).isEqualTo("InProgress");
      GenericKubernetesResource fresh =
          fixture.requests().stream()
              .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
              .findFirst()
              .orElseThrow();
      fixture.report(fresh, "Complete", "done");
      fixture.eventuallyDrain(second, SUCCEEDED);
    }
  }

  @Test
  void whatTheServerWillNeverTakeFailsAtOnceAndVisibly() {
    String node = fixture.addNode();
    String other = fixture.addNode();
    fixture.template("spec: {nodeName: {{ .HealthEvent.NodeName }}, errorCode: {a: b}}");
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      fixture.cluster().pass(Duration.ofSeconds(2));

      assertThat(fixture.drain(id)).isEqualTo("Failed");
      assertThat(fixture.message(id)).contains("errorCode");
      assertThat(fixture.state(node)).isEqualTo("drain-failed");
      assertThat(fixture.events(node, "DrainFailed")).hasSize(1);
    }
    fixture.template("spec: {nodeName: {{ .HealthEvent.NoSuchThing }}}");
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(other));
      fixture.eventuallyDrain(id, "Failed");
      assertThat(fixture.message(id))
          .contains("template drain-template.yaml, line 1: there is no field NoSuchThing");
    }
  }

  @Test
  void someNodesAreLeftToOthersAndTheRestIsDrainedHere() {
    String slurm = fixture.addNode();
    String plain = fixture.addNode();
    fixture
        .cluster()
        .client()
        .nodes()
        .withName(slurm)
        .edit(
            each ->
                new NodeBuilder(each)
                    .editMetadata()
                    .addToLabels("scheduler", "slurm")
                    .endMetadata()
                    .build());
    fixture.pod(slurm, "one");
    fixture.pod(plain, "two");
    String toml = fixture.published() + "nodeSelector = \"scheduler=slurm\"\n" + IMMEDIATE;
    try (Operator _ = fixture.operator(toml)) {
      String left = fixture.send(fault(slurm));
      String here = fixture.send(fault(plain));

      fixture.eventuallyDrain(here, SUCCEEDED);
      assertThat(fixture.pods(plain)).isEmpty();
      assertThat(spec(fixture.onlyRequest())).containsEntry("nodeName", slurm);
      assertThat(fixture.pods(slurm)).containsExactly("apps/one");
      assertThat(fixture.drain(left)).isEqualTo("InProgress");
    }
  }

  @Test
  void aConditionOfAnotherNameIsPointedOut() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.published())) {
      String id = fixture.send(fault(node));
      fixture.report(fixture.onlyRequest(), "DrainComplete", "done");
      fixture.cluster().pass(Duration.ofSeconds(10));

      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      assertThat(fixture.message(id))
          .contains("it has DrainComplete=True, but customDrain.statusConditionType is Complete");
      assertThat(fixture.events(node, "CustomDrainWaiting")).hasSize(1);
    }
  }

  @Test
  void anyKindWillDoAlsoOneWithTwoFieldsAndALongNameOfTheNode() {
    fixture
        .cluster()
        .define(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: nodedrains.example.com
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: NodeDrain, plural: nodedrains, singular: nodedrain}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          nodeName: {type: string}
                          podsToDrain:
                            type: object
                            additionalProperties: {type: array, items: {type: string}}
                      status:
                        type: object
                        x-kubernetes-preserve-unknown-fields: true
            """);
    fixture.template(
        """
        spec:
          nodeName: {{ .HealthEvent.NodeName }}
          ignored: {{ .HealthEvent.Message }}
          podsToDrain:
          {{- range $namespace, $pods := .PodsToDrain }}
            {{ $namespace }}:
            {{- range $pods }}
            - {{ . }}
            {{- end }}
          {{- end }}
        """);
    String node = fixture.cluster().addNodeWithLongName("long");
    fixture.pod(node, "web");
    fixture.pod(node, "kube-system", "agent", _ -> {});
    String toml =
        fixture
            .published()
            .replace("nvsentinel.nvidia.com", "example.com")
            .replace("v1alpha1", "v1")
            .replace("DrainRequest", "NodeDrain");
    try (Operator _ = fixture.operator(toml)) {
      String id = fixture.send(fault(node));
      fixture
          .cluster()
          .eventually()
          .until(() -> fixture.resources("example.com/v1", "NodeDrain").size() == 1);
      GenericKubernetesResource made = fixture.resources("example.com/v1", "NodeDrain").getFirst();

      assertThat(spec(made))
          .isEqualTo(Map.of("nodeName", node, "podsToDrain", Map.of("apps", List.of("web"))));
      fixture.report(made, "Complete", "done");
      fixture.eventuallyDrain(id, SUCCEEDED);
      assertThat(fixture.resources("example.com/v1", "NodeDrain")).isEmpty();
    }
  }

  @Test
  void theAndonCordKeepsDrainsFromBeginning() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.published())) {
      operator.engine().stop("a test");
      String id = fixture.send(fault(node));
      fixture.cluster().pass(Duration.ofSeconds(10));
      assertThat(fixture.requests()).isEmpty();
      assertThat(fixture.message(id)).contains("everything is stopped: a test");

      operator.engine().resume();
      operator.drainer().wakeAll();
      fixture.report(fixture.onlyRequest(), "Complete", "done");
      fixture.eventuallyDrain(id, SUCCEEDED);
    }
  }
}
