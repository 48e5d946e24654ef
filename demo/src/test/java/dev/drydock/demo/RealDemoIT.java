package dev.drydock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import org.junit.jupiter.api.Test;

/** The demo on a real control plane: it behaves as the simulation shows. */
@ClusterTest
class RealDemoIT {
  @Test
  void theStoryIsTrueOnARealControlPlane() {
    CommandOutcome demo = CommandOutcome.run("demo", "--headless", "--real");

    assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
    assertThat(demo.out())
        .contains("ok: no budget was broken at any moment of the demo", "checks of the cluster")
        .doesNotContain("failed: ");
  }
}
