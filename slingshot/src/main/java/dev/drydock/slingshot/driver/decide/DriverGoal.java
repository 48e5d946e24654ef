package dev.drydock.slingshot.driver.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.DriverReport;
import java.util.Objects;
import java.util.Optional;

/** Which driver a node should have now, and how far an agent may go for it. */
public sealed interface DriverGoal {
  /** Nothing is to be done. */
  record Leave(String reason) implements DriverGoal {}

  /** The driver stays what it is: its files are kept in place, and no module is replaced. */
  record Keep(DriverTarget target) implements DriverGoal {}

  /**
   * The driver is installed, and loaded modules are replaced.
   *
   * @param maintenance the UID of the one that it happens in; empty for the first driver of a node
   */
  record Install(DriverTarget target, Optional<String> maintenance) implements DriverGoal {}

  /** The previous driver is put back. */
  record RollBack(DriverTarget target, String maintenance) implements DriverGoal {}

  /** The operator asks for a version that nothing on the node knows. */
  record NoWayBack(String version, String maintenance) implements DriverGoal {}

  /**
   * Without a maintenance only a node that never had a driver gets one: nothing on it can use it.
   */
  static DriverGoal of(
      DriverTarget wanted,
      DriverRecords records,
      Optional<DriverReport> report,
      Optional<AgentMaintenance> maintenance) {
    Optional<AgentMaintenance> own = maintenance.filter(each -> !each.replacesThisAgent());
    if (own.isPresent() && own.get().rollbackTo().isPresent()) {
      return back(wanted, records, report, own.get());
    }
    if (own.isPresent() && !own.get().validating() && !own.get().complete()) {
      boolean failed =
          report
              .filter(each -> own.get().uid().equals(each.maintenance()))
              .filter(each -> each.state() == DriverReport.State.Failed)
              .isPresent();
      return failed
          ? new Leave("the install failed, and the operator decides what follows")
          : new Install(wanted, Optional.of(own.get().uid()));
    }
    String installed = report.map(DriverReport::revision).orElse(null);
    if (installed == null || installed.isEmpty()) {
      return maintenance.isPresent()
          ? new Leave("this agent is about to be replaced")
          : unreported(wanted, records);
    }
    if (installed.equals(wanted.revision())) {
      return new Keep(wanted);
    }
    if (wanted.type() == SourceType.preinstalled && maintenance.isEmpty()) {
      return new Install(wanted, Optional.empty()); // nothing is installed
    }
    return records
        .ofRevision(installed)
        .<DriverGoal>map(Keep::new)
        .orElseGet(() -> new Leave("the roll-out of driver " + wanted.version()));
  }

  /**
   * A Node that was created anew, or whose annotations somebody removed, has no report. Its disk
   * still knows that pods may use a driver, which only a maintenance may replace.
   */
  private static DriverGoal unreported(DriverTarget wanted, DriverRecords records) {
    return Optional.ofNullable(records.current())
        .filter(present -> !present.revision().equals(wanted.revision()))
        .filter(_ -> wanted.type() != SourceType.preinstalled)
        .<DriverGoal>map(Keep::new)
        .orElseGet(() -> new Install(wanted, Optional.empty()));
  }

  private static DriverGoal back(
      DriverTarget wanted,
      DriverRecords records,
      Optional<DriverReport> report,
      AgentMaintenance maintenance) {
    String version = maintenance.rollbackTo().orElseThrow();
    Optional<DriverReport> said =
        report.filter(each -> Objects.equals(each.maintenance(), maintenance.uid()));
    if (said.filter(each -> each.state() == DriverReport.State.RollbackFailed).isPresent()) {
      return new Leave("the rollback failed, and a person decides what follows");
    }
    if (said.filter(each -> each.state() == DriverReport.State.RolledBack).isPresent()) {
      return records
          .ofRevision(said.get().revision())
          .<DriverGoal>map(Keep::new)
          .orElseGet(() -> new Leave("the validation of driver " + version));
    }
    return records
        .ofVersion(version, wanted.revision())
        .<DriverGoal>map(target -> new RollBack(target, maintenance.uid()))
        .orElseGet(() -> new NoWayBack(version, maintenance.uid()));
  }
}
