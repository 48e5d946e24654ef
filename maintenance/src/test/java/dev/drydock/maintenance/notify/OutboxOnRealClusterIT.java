package dev.drydock.maintenance.notify;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import org.junit.jupiter.api.extension.ExtendWith;

/** The outbox on the real API server. */
@ClusterTest
@ExtendWith(OutboxOnRealClusterIT.Fixture.class)
class OutboxOnRealClusterIT extends OutboxContract {
  static final class Fixture extends RealClusterParameter<OutboxFixture> {
    Fixture() {
      super(OutboxFixture.class, "outbox", OutboxFixture::real);
    }
  }
}
