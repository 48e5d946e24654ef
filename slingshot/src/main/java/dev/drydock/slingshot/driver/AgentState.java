package dev.drydock.slingshot.driver;

import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.slingshot.driver.decide.AgentDecision;
import dev.drydock.slingshot.driver.decide.AgentStep;
import dev.drydock.slingshot.driver.decide.ModuleState;
import java.time.Instant;
import java.util.Optional;

/**
 * How far an agent is, for probes and people.
 *
 * @param ready whether the node has a driver that is installed, verified and loaded
 * @param report what it told the operator last
 * @param modules whether the kernel runs what is in place
 * @param checksum of the core module's file that is in place
 * @param waiting what it waits for
 */
public record AgentState(
    boolean ready,
    Optional<DriverReport> report,
    ModuleState modules,
    Optional<String> checksum,
    String waiting) {
  static final AgentState STARTING =
      new AgentState(false, Optional.empty(), ModuleState.UNKNOWN, Optional.empty(), "the cluster");

  static AgentState of(AgentDecision decision, Optional<String> checksum, AgentStep next) {
    boolean installed =
        decision
            .report()
            .filter(
                each ->
                    each.state() == DriverReport.State.Installed
                        || each.state() == DriverReport.State.RolledBack)
            .isPresent();
    boolean loaded = decision.modules() != ModuleState.ABSENT;
    return new AgentState(
        installed && loaded,
        decision.report(),
        decision.modules(),
        checksum,
        next instanceof AgentStep.Wait(String reason, Optional<Instant> _) ? reason : "");
  }

  /** The last error, or what is still to be done; empty if it is ready. */
  public Optional<String> unready() {
    if (ready) {
      return Optional.empty();
    }
    return report
        .map(DriverReport::error)
        .or(() -> report.map(DriverReport::step))
        .or(() -> Optional.of(waiting).filter(text -> !text.isEmpty()))
        .or(() -> Optional.of("the driver is not installed yet"));
  }
}
