package dev.drydock.maintenance.notify;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.SimulatedClusterParameter;
import org.junit.jupiter.api.extension.ExtendWith;

/** The outbox on a simulated cluster, in virtual time. */
@ExtendWith(OutboxTest.Fixture.class)
class OutboxTest extends OutboxContract {
  static final class Fixture extends SimulatedClusterParameter<OutboxFixture> {
    Fixture() {
      super(
          OutboxFixture.class, () -> OutboxFixture.simulated(SimulatedCluster.Settings.defaults()));
    }
  }
}
