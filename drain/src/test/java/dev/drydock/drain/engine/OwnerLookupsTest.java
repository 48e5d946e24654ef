package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnerLookupsTest {
  private final TestCluster cluster = TestCluster.simulated();
  private final TestProcess process = cluster.process();
  private final OwnerLookups lookups =
      new OwnerLookups(process.kube().http(), process.kube().time());

  @AfterEach
  void close() {
    process.close();
    cluster.close();
  }

  @Test
  void ownersThatNobodyAsksAboutAnyMoreAreForgotten() {
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < OwnerLookups.FEW; i++) {
        var _ = lookups.daemonSet("default", "set-" + round + "-" + i, () -> {});
      }
      cluster.pass(Duration.ofMinutes(2));
    }

    assertThat(lookups.kept()).isLessThanOrEqualTo(2 * OwnerLookups.FEW);
  }
}
