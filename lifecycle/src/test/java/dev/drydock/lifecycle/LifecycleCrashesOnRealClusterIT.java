package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** Agents that die on the real API server; a class of its own because it takes long. */
@ClusterTest
@ExtendWith(DrainsOnRealClusterIT.Fixture.class)
class LifecycleCrashesOnRealClusterIT extends LifecycleCrashContract.OfADrain {}
