package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ClusterTest
class DrainApiServerRestartIT {
  private static final String HOLDER = "test/restart";

  private ControlPlane cluster;
  private DrainFixture fixture;

  @BeforeEach
  void open(ControlPlane given, TestNamespace namespace) {
    cluster = given;
    fixture = new DrainFixture(TestCluster.real(given), namespace.name());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aDrainGoesOnWhenTheApiServerIsBack() {
    String node = fixture.node();
    fixture.pods(node, "stubborn", 3, Map.of(Knob.REFUSE_STOP, "true"));
    RecordedReports reports = new RecordedReports();
    try (DrainEngine engine = fixture.engine()) {
      DrainRun run =
          engine.start(DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE), reports);
      fixture.eventually().until(() -> reports.granted.size() == 3);

      cluster.stopApiServer();
      fixture.eventually().until(() -> reports.blockedBy(BlockReason.NOT_OBSERVED));
      assertThat(run.outcome()).isNotDone();
      cluster.startApiServer();

      fixture.eventually().until(() -> !reports.blockedBy(BlockReason.NOT_OBSERVED));
      fixture.kubectl(
          "annotate",
          "pods",
          "--all",
          "-n",
          fixture.namespace,
          Knob.REFUSE_STOP.annotation() + "-");
      assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    }
    assertThat(fixture.podsOn(node)).isEmpty();
    assertThat(reports.granted).hasSize(3);
  }
}
