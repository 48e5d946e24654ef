package dev.drydock.lifecycle;

import org.junit.jupiter.api.Nested;

/**
 * All that agents promise. Whoever extends it brings the cluster, as a {@link LifecycleFixture}.
 */
abstract class LifecycleContracts {
  @Nested
  class Drained extends LifecycleDrainContract {}

  @Nested
  class Claimed extends ClaimContract {}

  @Nested
  class Expected extends FirstClaimerContract {}

  @Nested
  class Late extends SlaContract {}

  @Nested
  class Lost extends LossContract {}
}
