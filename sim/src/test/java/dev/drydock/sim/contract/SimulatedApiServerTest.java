package dev.drydock.sim.contract;

import dev.drydock.testbed.contract.BudgetContract;
import dev.drydock.testbed.contract.BudgetExemptionContract;
import dev.drydock.testbed.contract.CustomResourceContract;
import dev.drydock.testbed.contract.DeletionContract;
import dev.drydock.testbed.contract.EvictionContract;
import dev.drydock.testbed.contract.ListContract;
import dev.drydock.testbed.contract.NodeIdentityContract;
import dev.drydock.testbed.contract.PatchContract;
import dev.drydock.testbed.contract.WatchContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on the simulated API server: what fails here is a lie of the simulation. */
@ExtendWith(SimulatedApi.class)
class SimulatedApiServerTest {
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
