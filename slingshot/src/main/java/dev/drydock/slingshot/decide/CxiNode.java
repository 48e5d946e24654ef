package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A node as roll-outs see it.
 *
 * @param annotations those of the group of CXI drivers
 * @param allocatable amounts of extended resources that the kubelet offers
 * @param report of its driver agent
 * @param devices by name
 * @param maintenance of a roll-out, if there is one that is not over
 * @param cutShort whether somebody returned the node before its last maintenance had ended, and the
 *     record of it is still there
 */
public record CxiNode(
    String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    boolean ready,
    boolean cordoned,
    Map<String, Long> allocatable,
    Optional<DriverReport> report,
    Map<String, Device> devices,
    Optional<Agent> agent,
    Optional<Maintenance> maintenance,
    boolean cutShort) {

  /** A network interface. */
  public record Device(
      boolean up,
      boolean retryHandlerRuns,
      HealthStatus health,
      String message,
      CounterGate.Counters counters) {}

  /** The pod of the driver agent. */
  public record Agent(String uid, String revision, String template, boolean ready) {}

  /**
   * A NotifyMaintenance.
   *
   * @param campaign the UID of the campaign that created it; empty if none did
   * @param annotations those that roll-outs and clients use
   */
  public record Maintenance(
      String name,
      String uid,
      String campaign,
      MaintenanceState state,
      boolean deleted,
      Map<String, String> annotations) {
    Optional<String> annotation(String key) {
      return Optional.ofNullable(annotations.get(key));
    }

    Optional<UpdateFailure> failure() {
      return UpdateFailure.of(
          annotations.get(CxiNames.FAILURE_CAUSE), annotations.get(CxiNames.FAILURE));
    }
  }

  /** The revision that is installed and verified; empty if no driver is recorded. */
  Optional<String> installed() {
    return report.map(DriverReport::revision).filter(text -> !text.isEmpty());
  }

  boolean isAt(String revision) {
    return installed().filter(revision::equals).isPresent();
  }

  /** What the agent says about this maintenance, and not about one before it. */
  Optional<DriverReport> reportOn(Maintenance current) {
    return report.filter(each -> Objects.equals(each.maintenance(), current.uid()));
  }

  /** Whether this revision could not be used here, and the one before is back. */
  boolean wentBackFrom(String revision) {
    return report
        .filter(each -> each.state() == DriverReport.State.RolledBack)
        .filter(each -> revision.equals(each.wanted()))
        .isPresent();
  }

  /** Out of service for a roll-out, and not given up. */
  public boolean isOut() {
    return maintenance.filter(each -> each.state().isInProgress() || each.deleted()).isPresent();
  }

  boolean isSkipped() {
    return "true".equals(labels.get(CxiNames.SKIP_UPDATE));
  }

  /** Whether a CXIDriver with this selector is for the node. */
  public boolean matches(Map<String, String> selector) {
    return selector.entrySet().stream()
        .allMatch(each -> each.getValue().equals(labels.get(each.getKey())));
  }

  /** The last lines of what failed, for people. */
  static String described(DriverReport report) {
    List<String> log = report.log() == null ? List.of() : report.log();
    String where = report.step() == null ? "" : "step " + report.step() + ": ";
    String what = Objects.requireNonNullElse(report.error(), "no reason given");
    return where + what + (log.isEmpty() ? "" : "; last lines: " + String.join(" | ", log));
  }
}
