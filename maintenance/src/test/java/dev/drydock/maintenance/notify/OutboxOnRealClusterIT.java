package dev.drydock.maintenance.notify;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import org.junit.jupiter.api.extension.ExtendWith;

/** The outbox on the real API server. */
@ClusterTest
@ExtendWith(OutboxOnRealClusterIT.RealOffice.class)
class OutboxOnRealClusterIT extends OutboxContract {
  static final class RealOffice extends RealClusterParameter<OutboxFixture> {
    RealOffice() {
      super(OutboxFixture.class, "outbox", OutboxFixture::real);
    }
  }
}
