package dev.drydock.testbed.contract;

import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on the real API server: what fails here has changed in Kubernetes. */
@ClusterTest
@ExtendWith(RealApiServer.class)
class RealApiServerIT {
  @Nested
  class Evictions extends EvictionContract {}

  @Nested
  class Budgets extends BudgetContract {}

  @Nested
  class BudgetExemptions extends BudgetExemptionContract {}

  @Nested
  class NodeIdentities extends NodeIdentityContract {}

  @Nested
  class Deletions extends DeletionContract {}

  @Nested
  class Patches extends PatchContract {}

  @Nested
  class Lists extends ListContract {}

  @Nested
  class Watches extends WatchContract {}

  @Nested
  class CustomResources extends CustomResourceContract {}
}
