package dev.drydock.bench.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RolloutRunTest {
  @Test
  void nodesAreOutForTheirInstallAndTheOperatorIsQuietAfterwards() {
    RolloutRun.Figures many = RolloutRun.measure(new RolloutScenario(20, "20%", 1));
    RolloutRun.Figures one = RolloutRun.measure(new RolloutScenario(4, "1", 1));

    assertThat(one.minutesPerNode()).as("installs take 2 to 6 minutes").isBetween(2.0, 6.5);
    assertThat(many.minutesPerNode()).isBetween(2.0, 6.5);
    assertThat(many.hours()).as("four at once").isLessThan(20 * many.minutesPerNode() / 60 / 2);
    assertThat(many.writesPerNode()).as("%s", many.byKind()).isBetween(5.0, 70.0);
    assertThat(many.byKind()).containsKeys("nodes", "notifymaintenances", "events");
    assertThat(many.idleWrites()).isZero();
    assertThat(one.idleWrites()).isZero();
  }

  @Test
  void writesAreCountedByKind() {
    assertThat(RolloutRun.kind("/api/v1/nodes/n1/status")).isEqualTo("nodes");
    assertThat(RolloutRun.kind("/api/v1/namespaces/a/pods?x=y")).isEqualTo("pods");
    assertThat(RolloutRun.kind("/apis/events.k8s.io/v1/namespaces/a/events")).isEqualTo("events");
    assertThat(RolloutRun.kind("/apis/drydock.dev/v1alpha1/maintenanceclasses/c"))
        .isEqualTo("maintenanceclasses");
  }
}
