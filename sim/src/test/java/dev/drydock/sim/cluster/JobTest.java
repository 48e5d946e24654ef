package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobTest {
  private static final String BATCH =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: batch, namespace: default}
      spec:
        %s
        template:
          metadata: {annotations: {sim.drydock.dev/complete-after: 1m}}
          spec:
            restartPolicy: Never
            containers: [{name: main, image: one}]
      """;

  private final SteppedCluster cluster = SteppedCluster.withNodes(3);

  @AfterEach
  void close() {
    cluster.close();
  }

  private int status(String field) {
    return cluster.count("Job", "batch", "status", field);
  }

  private String condition(String type) {
    return SteppedCluster.condition(cluster.get("Job", "batch"), type);
  }

  private String reason(String type) {
    return JsonTrees.at(cluster.get("Job", "batch"), "status", "conditions")
        .valueStream()
        .filter(each -> JsonTrees.text(each, "type").equals(type))
        .map(each -> JsonTrees.text(each, "reason"))
        .findFirst()
        .orElse("");
  }

  @Test
  void itRunsSoManyAtOnceUntilEnoughHaveSucceeded() {
    cluster.create(BATCH.formatted("completions: 3\n  parallelism: 2"));
    assertThat(status("active")).isEqualTo(2);

    cluster.advance("1M");
    assertThat(status("succeeded")).isEqualTo(2);
    assertThat(status("active")).isEqualTo(1);
    cluster.advance("1M");

    assertThat(status("succeeded")).isEqualTo(3);
    assertThat(condition("Complete")).isEqualTo("True");
    assertThat(cluster.text("Job", "batch", "status", "completionTime")).isNotEmpty();
    assertThat(cluster.all("Pod"))
        .hasSize(3)
        .allMatch(pod -> JsonTrees.at(pod, "metadata", "finalizers").isEmpty());
  }

  @Test
  void aPodThatIsEvictedCountsAsFailedAndIsTriedAgainAfterAWhile() {
    cluster.create(BATCH.formatted("backoffLimit: 1"));

    cluster.cluster.evict("default", cluster.names("Pod").getFirst(), null);
    assertThat(status("failed")).isEqualTo(1);
    cluster.advance("9S");
    assertThat(status("active")).isZero();
    cluster.advance("1S");
    assertThat(status("active")).isEqualTo(1);

    cluster.cluster.evict("default", cluster.names("Pod").getLast(), null);

    assertThat(condition("Failed")).isEqualTo("True");
    assertThat(reason("Failed")).isEqualTo("BackoffLimitExceeded");
  }

  @Test
  void anEvictionMayBeForgiven() {
    cluster.create(
        BATCH.formatted(
            """
            backoffLimit: 0
              podFailurePolicy:
                rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]\
            """));

    cluster.cluster.evict("default", cluster.names("Pod").getFirst(), null);
    cluster.advance("2M");

    assertThat(status("failed")).isZero();
    assertThat(condition("Complete")).isEqualTo("True");
  }

  @Test
  void itEndsAtItsDeadlineAndIsFailedWhenItsPodsAreGone() {
    cluster.create(BATCH.formatted("activeDeadlineSeconds: 30"));
    cluster.setKnob("Pod", cluster.names("Pod").getFirst(), Knob.STOP_AFTER, "5s");

    cluster.advance("30S");
    assertThat(condition("FailureTarget")).isEqualTo("True");
    assertThat(condition("Failed")).isEmpty();
    cluster.advance("5S");

    assertThat(condition("Failed")).isEqualTo("True");
    assertThat(reason("Failed")).isEqualTo("DeadlineExceeded");
  }

  @Test
  void indexedPodsCountOnceEach() {
    cluster.create(BATCH.formatted("completions: 3\n  parallelism: 3\n  completionMode: Indexed"));
    assertThat(cluster.names("Pod")).allMatch(name -> name.matches("batch-[0-2]-.*"));

    cluster.advance("1M");

    assertThat(cluster.text("Job", "batch", "status", "completedIndexes")).isEqualTo("0-2");
    assertThat(condition("Complete")).isEqualTo("True");
  }

  @Test
  void itGoesByItselfWhenItsTimeIsOver() {
    cluster.create(BATCH.formatted("ttlSecondsAfterFinished: 60"));

    cluster.advance("1M59S");
    assertThat(cluster.names("Job")).hasSize(1);
    cluster.advance("1S");

    assertThat(cluster.names("Job")).isEmpty();
    assertThat(cluster.names("Pod")).isEmpty();
  }
}
