package dev.drydock.sim.contract;

import org.junit.jupiter.api.Nested;

/** All contracts. Subclasses provide the server as an {@link ApiUnderTest}. */
public abstract class ApiContracts {
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
  class Applies extends ApplyContract {}

  @Nested
  class Tables extends TableContract {}

  @Nested
  class Workloads extends WorkloadContract {}

  @Nested
  class Webhooks extends WebhookContract {}

  @Nested
  class Lists extends ListContract {}

  @Nested
  class Watches extends WatchContract {}

  @Nested
  class CustomResources extends CustomResourceContract {}
}
