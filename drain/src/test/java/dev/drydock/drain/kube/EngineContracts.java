package dev.drydock.drain.kube;

import org.junit.jupiter.api.Nested;

/** All that the engine promises. Whoever extends it brings the cluster, as a {@link Scene}. */
abstract class EngineContracts {
  @Nested
  class Drained extends DrainContract {}

  @Nested
  class Together extends GatheringContract {}

  @Nested
  class Held extends NodeHoldsContract {}

  @Nested
  class Planned extends PlansContract {}

  @Nested
  class Requested extends DrainRequestsContract {}

  @Nested
  class Followed extends RequestedDrainContract {}

  @Nested
  class Kept extends HoldKeeperContract {}

  @Nested
  class Crashed extends CrashContract {}
}
