/**
 * {@code drydock simulate}: what would happen to a fleet.
 *
 * <pre>
 * FleetObjects        a fleet as API objects, loaded into
 * VirtualCluster      the simulated cluster, in virtual time
 * SimulatedEngine     what drains share: budgets' turns, concurrency, how long calls take
 * NodeDrain           one drain: looks, lets the engine decide, sends
 * ScenarioRun         the steps, and drains so many at a time
 * SimulationRecorder  what is written down meanwhile
 * Simulation          from the beginning until nothing more happens
 * </pre>
 *
 * <p>The decisions are the engine's own ({@code drain.decide}), made from facts that its own
 * readers took from the objects, and carried out by its own requests. Only threads and connections
 * are not there: everything is one timer after another, so the same seed gives the same report.
 */
package dev.drydock.simulate;
