package dev.drydock.testbed.contract;

import dev.drydock.sim.contract.ApiContracts;
import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on the real API server: a failure means that Kubernetes has changed. */
@ClusterTest
@ExtendWith(RealApiServer.class)
class RealApiServerIT extends ApiContracts {}
