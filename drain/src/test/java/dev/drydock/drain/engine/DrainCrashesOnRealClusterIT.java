package dev.drydock.drain.engine;

import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** Engines that die on the real API server; a class of its own because it takes long. */
@ClusterTest
@ExtendWith(EngineOnRealClusterIT.Fixture.class)
class DrainCrashesOnRealClusterIT extends DrainCrashContract {}
