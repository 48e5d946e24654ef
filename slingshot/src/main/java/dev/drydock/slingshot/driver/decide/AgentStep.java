package dev.drydock.slingshot.driver.decide;

import dev.drydock.contracts.cxi.DriverReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a driver agent does next. */
public sealed interface AgentStep {
  /**
   * Nothing, until something changes or this time has come.
   *
   * @param reason for people
   */
  record Wait(String reason, Optional<Instant> until) implements AgentStep {}

  /** Begins work in the background. */
  record Start(DriverTask task, DriverTarget target) implements AgentStep {}

  /**
   * Tells the operator.
   *
   * @param previousVersion what a rollback would go back to, if it changes
   */
  record Report(DriverReport report, Optional<String> previousVersion) implements AgentStep {}

  /** Declares the maintenance done. */
  record Complete(String maintenance) implements AgentStep {}

  /** Asks retry handlers to stop, because the driver is about to be replaced. */
  record StopHandlers(String reason) implements AgentStep {}

  /** Stops handlers that did not stop by themselves. */
  record TerminateHandlers(List<Long> pids) implements AgentStep {}

  /** Lets retry handlers run again. */
  record ResumeHandlers() implements AgentStep {}
}
