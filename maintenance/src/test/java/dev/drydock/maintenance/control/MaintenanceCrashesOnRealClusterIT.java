package dev.drydock.maintenance.control;

import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operators that die on the real API server; a class of its own because it takes long. */
@ClusterTest
@ExtendWith(MaintenanceControllerOnRealClusterIT.Fixture.class)
class MaintenanceCrashesOnRealClusterIT extends MaintenanceCrashContract {}
