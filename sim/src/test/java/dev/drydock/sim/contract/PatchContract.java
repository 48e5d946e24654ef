package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusCause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patches that cordon, hold and mark nodes. */
public abstract class PatchContract extends ApiContract {
  private static final String HOLDER = "drydock.dev/holder";

  @ParameterizedTest
  @ValueSource(strings = {MERGE_PATCH, STRATEGIC_MERGE_PATCH})
  void oneNodePatchCordonsAndAnnotates(String patchType) {
    Node node = createNode();

    Answer answer = patch(path(node), patchType, cordon(Map.of()));

    assertThat(answer.code()).isEqualTo(200);
    assertThat(read(node).getSpec().getUnschedulable()).isTrue();
    assertThat(read(node).getMetadata().getAnnotations()).containsEntry(HOLDER, "me");
  }

  @ParameterizedTest
  @ValueSource(strings = {MERGE_PATCH, STRATEGIC_MERGE_PATCH})
  void nullTakesBothAwayAgain(String patchType) {
    Node node = createNode();
    patch(path(node), patchType, cordon(Map.of()));

    patch(
        path(node),
        patchType,
        """
        {"metadata": {"annotations": {"%s": null}}, "spec": {"unschedulable": null}}
        """
            .formatted(HOLDER));

    assertThat(read(node).getSpec().getUnschedulable()).isNull();
    assertThat(read(node).getMetadata().getAnnotations()).doesNotContainKey(HOLDER);
  }

  @ParameterizedTest
  @ValueSource(strings = {MERGE_PATCH, STRATEGIC_MERGE_PATCH})
  void anOlderResourceVersionIsAConflictAndNothingIsWritten(String patchType) {
    Node node = createNode();
    patch(path(node), patchType, Map.of("metadata", Map.of("labels", Map.of("changed", "yes"))));

    Answer answer =
        patch(
            path(node),
            patchType,
            cordon(Map.of("resourceVersion", node.getMetadata().getResourceVersion())));

    assertThat(answer.code()).isEqualTo(409);
    assertThat(answer.status().getReason()).isEqualTo("Conflict");
    assertThat(read(node).getSpec().getUnschedulable()).isNull();
    assertThat(read(node).getMetadata().getAnnotations()).doesNotContainKey(HOLDER);
  }

  /**
   * Unlike a deletion, a patch has no UID precondition: a UID counts as an attempt to change it.
   */
  @Test
  void anotherUidIsInvalidAndNothingIsWritten() {
    Node node = createNode();

    Answer answer = patch(path(node), MERGE_PATCH, cordon(Map.of("uid", "somebody-else")));

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.causes()).extracting(StatusCause::getField).containsOnly("metadata.uid");
    assertThat(read(node).getSpec().getUnschedulable()).isNull();
  }

  /** Uses a pod, because controllers write to nodes during the test. */
  @ParameterizedTest
  @ValueSource(strings = {MERGE_PATCH, STRATEGIC_MERGE_PATCH})
  void aPatchThatChangesNothingWritesNothing(String patchType) {
    Pod pod = createPod("web", "web", createNode());
    Object held = Map.of("metadata", Map.of("annotations", Map.of(HOLDER, "me")));
    patch(path(pod), patchType, held);
    String version = require(pod).getMetadata().getResourceVersion();

    assertThat(patch(path(pod), patchType, held).code()).isEqualTo(200);

    assertThat(require(pod).getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void aConditionOfItsOwnTypeLeavesTheOthersAlone() {
    Node node = createNode();
    reportCondition(node, "Ready", "True");

    reportCondition(node, "Drained", "False");
    reportCondition(node, "Drained", "True");

    assertThat(read(node).getStatus().getConditions())
        .extracting(NodeCondition::getType, NodeCondition::getStatus)
        .contains(tuple("Ready", "True"), tuple("Drained", "True"))
        .doesNotContain(tuple("Drained", "False"));
  }

  @Test
  void theStatusDoesNotCordon() {
    Node node = createNode();

    assertThat(patch(path(node) + "/status", STRATEGIC_MERGE_PATCH, cordon(Map.of())).code())
        .isEqualTo(200);

    assertThat(read(node).getSpec().getUnschedulable()).isNull();
    assertThat(read(node).getMetadata().getAnnotations())
        .as("annotations do pass with the status")
        .containsEntry(HOLDER, "me");
  }

  @Test
  void theNodeItselfTakesNoConditions() {
    Node node = createNode();
    reportCondition(node, "Drained", "True");

    assertThat(patch(path(node), STRATEGIC_MERGE_PATCH, condition("Drained", "False")).code())
        .isEqualTo(200);

    assertThat(read(node).getStatus().getConditions())
        .filteredOn(condition -> condition.getType().equals("Drained"))
        .extracting(NodeCondition::getStatus)
        .containsExactly("True");
  }

  private void reportCondition(Node node, String type, String status) {
    assertThat(patch(path(node) + "/status", STRATEGIC_MERGE_PATCH, condition(type, status)).code())
        .isEqualTo(200);
  }

  private static Object condition(String type, String status) {
    Map<String, String> condition =
        Map.of("type", type, "status", status, "reason", "Test", "message", "as the test says");
    return Map.of("status", Map.of("conditions", List.of(condition)));
  }

  private static Object cordon(Map<String, Object> identity) {
    Map<String, Object> metadata = new HashMap<>(identity);
    metadata.put("annotations", Map.of(HOLDER, "me"));
    return Map.of("metadata", metadata, "spec", Map.of("unschedulable", true));
  }

  private Node read(Node node) {
    return client().nodes().withName(node.getMetadata().getName()).require();
  }
}
