/**
 * {@code drydock simulate}: what would happen to a fleet.
 *
 * <pre>
 * FleetObjects        a fleet as API objects, loaded into
 * VirtualCluster      the simulated cluster, in virtual time
 * Latencies           how long requests and watches take in virtual time
 * ScenarioRun         the steps of the scenario; drains run on the drain engine itself
 * SimulationRecorder  the events and figures of the report
 * Simulation          from the beginning until nothing more happens
 * </pre>
 *
 * <p>The drains are {@code DrainRun}s of the real engine on a virtual {@code TimeSource}, over an
 * in-process transport; the same seed gives the same report.
 */
package dev.drydock.simulate;
