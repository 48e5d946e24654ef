package dev.drydock.maintenance.control;

import org.junit.jupiter.api.Nested;

/**
 * What maintenances promise, except that they survive crashes. Whoever extends it brings the
 * cluster, as a {@link MaintenanceFixture}.
 */
abstract class MaintenanceContracts {
  @Nested
  class Driven extends MaintenanceContract {}

  @Nested
  class WithAClass extends ClassContract {}
}
