package dev.drydock.sim.contract;

import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on the simulated API server: a failure means that the simulation is wrong. */
@ExtendWith(SimulatedApiParameter.class)
class SimulatedApiServerTest extends ApiContracts {}
