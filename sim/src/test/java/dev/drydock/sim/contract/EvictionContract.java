package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evictions without a budget. */
public abstract class EvictionContract extends ApiContract {
  private static final String WRONG_UID = "00000000-0000-0000-0000-000000000000";

  @Test
  void aGrantedEvictionIsAnsweredWithASuccessAndThePodTerminates() {
    Pod pod = runPod("web", "web", createNode());

    Answer answer = evict(pod, Map.of("preconditions", Map.of("uid", pod.getMetadata().getUid())));

    assertThat(answer.code()).isEqualTo(201);
    assertThat(answer.isSuccess()).isTrue();
    Pod evicted = require(pod);
    assertThat(evicted.getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(evicted.getMetadata().getDeletionGracePeriodSeconds())
        .as("the pod's own, by default")
        .isEqualTo(30);
  }

  @Test
  void anEvictedPodCarriesTheReasonInItsConditions() {
    Pod pod = runPod("web", "web", createNode());

    evict(pod);

    assertThat(require(pod).getStatus().getConditions())
        .extracting(PodCondition::getType, PodCondition::getStatus, PodCondition::getReason)
        .contains(tuple("DisruptionTarget", "True", "EvictionByEvictionAPI"));
  }

  @Test
  void anEvictionCanSetTheGracePeriod() {
    Pod pod = runPod("web", "web", createNode());

    evict(pod, Map.of("gracePeriodSeconds", 7));

    assertThat(require(pod).getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(7);
  }

  @Test
  void anEvictionWithoutGraceRemovesThePodAtOnce() {
    Pod pod = runPod("web", "web", createNode());

    assertThat(evict(pod, Map.of("gracePeriodSeconds", 0)).code()).isEqualTo(201);

    assertThat(read(pod)).isNull();
  }

  @Test
  void evictingATerminatingPodAgainSucceedsAndChangesNothing() {
    Pod pod = runPod("web", "web", createNode());
    evict(pod);
    String deletion = require(pod).getMetadata().getDeletionTimestamp();

    Answer again = evict(pod);

    assertThat(again.code()).isEqualTo(201);
    assertThat(again.isSuccess()).isTrue();
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isEqualTo(deletion);
  }

  @Test
  void aMissingPodIsNotFound() {
    Pod pod =
        pod("nobody", "web", null).editMetadata().withNamespace(namespace()).endMetadata().build();

    Answer answer = evict(pod);

    assertThat(answer.code()).isEqualTo(404);
    assertThat(answer.status().getReason()).isEqualTo("NotFound");
  }

  @Test
  void anotherUidIsAConflictAndThePodStays() {
    Pod pod = runPod("web", "web", createNode());

    Answer answer = evict(pod, Map.of("preconditions", Map.of("uid", WRONG_UID)));

    assertThat(answer.code()).isEqualTo(409);
    assertThat(answer.status().getReason()).isEqualTo("Conflict");
    assertThat(answer.status().getMessage())
        .contains(WRONG_UID, pod.getMetadata().getUid(), "deleted and then recreated");
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void theNameInTheBodyMustBeTheOneInTheAddress() {
    Pod pod = runPod("web", "web", createNode());
    Pod other = runPod("other", "web", createNode());

    Answer answer = post(path(pod) + "/eviction", eviction(other, Map.of()));

    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.status().getReason()).isEqualTo("BadRequest");
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
    assertThat(require(other).getMetadata().getDeletionTimestamp()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"body", "address"})
  void aDryRunIsAnsweredLikeTheRealThingAndEvictsNothing(String where) {
    Pod pod = runPod("web", "web", createNode());

    Answer answer =
        where.equals("body")
            ? evict(pod, Map.of("dryRun", List.of("All")))
            : post(path(pod) + "/eviction?dryRun=All", eviction(pod, Map.of()));

    assertThat(answer.code()).isEqualTo(201);
    assertThat(answer.isSuccess()).isTrue();
    assertThat(require(pod).getMetadata().getResourceVersion())
        .as("not even touched")
        .isEqualTo(pod.getMetadata().getResourceVersion());
  }

  /** The namespace controller deletes the pods: nothing is left to evict. */
  @Test
  void evictionsAreForbiddenInATerminatingNamespace() {
    Pod pod = runPod("web", "web", createNode());
    ConfigMap held = createHeldConfigMap();
    client().namespaces().withName(namespace()).delete();
    try {
      Answer answer = evict(pod);

      assertThat(answer.code()).isEqualTo(403);
      assertThat(answer.status().getReason()).isEqualTo("Forbidden");
      assertThat(answer.causes())
          .singleElement()
          .satisfies(
              cause -> {
                assertThat(cause.getReason()).isEqualTo("NamespaceTerminating");
                assertThat(cause.getField()).isEqualTo("metadata.namespace");
              });
    } finally {
      client()
          .resource(held)
          .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");
    }
  }

  /** Keeps the namespace until it has been checked. */
  private ConfigMap createHeldConfigMap() {
    return client()
        .configMaps()
        .inNamespace(namespace())
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("held")
                .addToFinalizers("drydock.dev/held")
                .endMetadata()
                .build())
        .create();
  }
}
