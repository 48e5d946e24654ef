package dev.drydock.testbed.contract;

import dev.drydock.sim.contract.ApiContracts;
import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on the real API server: what fails here has changed in Kubernetes. */
@ClusterTest
@ExtendWith(RealApiServer.class)
class RealApiServerIT extends ApiContracts {}
