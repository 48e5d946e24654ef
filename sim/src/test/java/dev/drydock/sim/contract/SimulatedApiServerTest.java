package dev.drydock.sim.contract;

import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on the simulated API server: what fails here is a lie of the simulation. */
@ExtendWith(SimulatedApi.class)
class SimulatedApiServerTest extends ApiContracts {}
