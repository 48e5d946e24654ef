package dev.drydock.drain.engine;

import org.junit.jupiter.api.Nested;

/**
 * What the engine promises, except that it survives crashes. Whoever extends it brings the cluster,
 * as a {@link DrainFixture}.
 */
abstract class EngineContracts {
  @Nested
  class Drained extends DrainContract {}

  @Nested
  class Together extends DrainPreflightContract {}

  @Nested
  class Held extends NodeHoldsContract {}

  @Nested
  class Planned extends DrainPlanReaderContract {}

  @Nested
  class Requested extends DrainRequestControllerContract {}

  @Nested
  class Followed extends DrainRequestClientContract {}

  @Nested
  class Kept extends HoldControllerContract {}
}
