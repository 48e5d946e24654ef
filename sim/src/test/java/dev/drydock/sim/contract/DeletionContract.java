package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deletion of pods. */
public abstract class DeletionContract extends ApiContract {
  private static final int LONG_GRACE = 1_000;

  @Test
  void theDeletionTimestampLiesAtTheEndOfTheGracePeriod() {
    Pod pod = runPod("web", "web", createNode());

    Answer answer = delete(pod, Map.of("gracePeriodSeconds", LONG_GRACE));

    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.json().path("kind").asText()).isEqualTo("Pod");
    Pod deleted = require(pod);
    assertThat(deleted.getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(LONG_GRACE);
    assertThat(Instant.parse(deleted.getMetadata().getDeletionTimestamp()))
        .isBetween(
            Instant.parse(pod.getMetadata().getCreationTimestamp()).plusSeconds(LONG_GRACE),
            ZonedDateTime.parse(String.valueOf(answer.date()), DateTimeFormatter.RFC_1123_DATE_TIME)
                .toInstant()
                .plusSeconds(LONG_GRACE));
  }

  @Test
  void theDefaultGraceIsThePodsOwn() {
    Pod pod =
        createPod(
            pod("web", "web", createNode())
                .editSpec()
                .withTerminationGracePeriodSeconds(45L)
                .endSpec()
                .build());

    delete(pod, Map.of());

    assertThat(require(pod).getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(45);
  }

  @Test
  void noGraceRemovesThePodAtOnce() {
    Pod pod = runPod("web", "web", createNode());

    assertThat(delete(pod, Map.of("gracePeriodSeconds", 0)).code()).isEqualTo(200);

    assertThat(read(pod)).isNull();
  }

  @Test
  void aSecondDeletionShortensTheGraceAndNeverLengthensIt() {
    Pod pod = runPod("web", "web", createNode());
    delete(pod, Map.of("gracePeriodSeconds", 100));
    String deletion = require(pod).getMetadata().getDeletionTimestamp();

    delete(pod, Map.of("gracePeriodSeconds", 200));

    assertThat(require(pod).getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(100);
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isEqualTo(deletion);

    delete(pod, Map.of("gracePeriodSeconds", 50));

    assertThat(require(pod).getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(50);
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isLessThan(deletion);
  }

  @Test
  void aPodOnNoNodeHasNobodyToWaitFor() {
    Pod pod = createPod("web", "web", null);

    delete(pod, Map.of());

    assertThat(read(pod)).isNull();
  }

  @Test
  void aFinalizerKeepsThePodUntilItIsTakenAway() {
    Pod pod =
        createPod(
            pod("web", "web", createNode())
                .editMetadata()
                .addToFinalizers("drydock.dev/held")
                .endMetadata()
                .build());

    delete(pod, Map.of("gracePeriodSeconds", 0));

    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(
            patch(path(pod), MERGE_PATCH, "{\"metadata\":{\"finalizers\":[\"drydock.dev/late\"]}}")
                .code())
        .as("too late for another one")
        .isEqualTo(422);

    pods()
        .withName("web")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");

    assertThat(read(pod)).isNull();
  }

  @Test
  void anotherUidIsAConflictAndThePodStays() {
    Pod pod = runPod("web", "web", createNode());

    Answer answer = delete(pod, Map.of("preconditions", Map.of("uid", "somebody-else")));

    assertThat(answer.code()).isEqualTo(409);
    assertThat(answer.status().getReason()).isEqualTo("Conflict");
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void anOlderResourceVersionIsAConflictAndThePodStays() {
    Pod created = createPod("web", "web", createNode());
    report(created, "Running", true);

    Answer answer =
        delete(
            created,
            Map.of(
                "preconditions",
                Map.of("resourceVersion", created.getMetadata().getResourceVersion())));

    assertThat(answer.code()).isEqualTo(409);
    assertThat(require(created).getMetadata().getDeletionTimestamp()).isNull();
  }
}
