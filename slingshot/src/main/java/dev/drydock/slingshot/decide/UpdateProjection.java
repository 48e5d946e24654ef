package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node's update in the annotations that clients of CXI drivers know. Nothing reads
 * them back.
 */
public final class UpdateProjection {
  private UpdateProjection() {}

  /**
   * Annotations that have to change; null removes one.
   *
   * @param rollout that the node belongs to
   */
  public static Map<String, @Nullable String> changes(
      CxiNode node, EffectiveSpec spec, Optional<String> rollout, Instant now) {
    Optional<String> state = state(node, spec, rollout);
    Map<String, @Nullable String> wanted = new LinkedHashMap<>();
    state.ifPresent(text -> wanted.put(CxiNames.UPDATE_STATE, text));
    String before = node.annotations().get(CxiNames.UPDATE_STATE);
    boolean begins = state.filter("draining"::equals).isPresent() && !"draining".equals(before);
    if (begins) {
      wanted.put(CxiNames.UPDATE_STARTED_AT, now.truncatedTo(ChronoUnit.SECONDS).toString());
    }
    if (state.isPresent()) {
      wanted.put(CxiNames.UPDATE_ERROR, error(node, state.get()));
    }
    wanted
        .entrySet()
        .removeIf(each -> Objects.equals(node.annotations().get(each.getKey()), each.getValue()));
    return wanted;
  }

  private static Optional<String> state(
      CxiNode node, EffectiveSpec spec, Optional<String> rollout) {
    if (node.maintenance().isPresent()) {
      return during(node, node.maintenance().get());
    }
    if (rollout.isEmpty()) {
      return Optional.empty();
    }
    if (node.isAt(spec.revision())) {
      return Optional.of("done");
    }
    boolean back =
        node.report()
            .filter(report -> report.state() == DriverReport.State.RolledBack)
            .filter(report -> spec.revision().equals(report.wanted()))
            .isPresent();
    return Optional.of(back ? "rolled-back" : "pending");
  }

  private static Optional<String> during(CxiNode node, CxiNode.Maintenance maintenance) {
    Optional<DriverReport.State> report = node.reportOn(maintenance).map(DriverReport::state);
    boolean passed =
        maintenance
            .annotation(MaintenanceNames.VALIDATION_CLIENT)
            .filter(MaintenanceNames.VALIDATED::equals)
            .isPresent();
    return Optional.of(
        switch (maintenance.state()) {
          case NONE, SCHEDULED, UNKNOWN -> "pending";
          case STARTED, SLA_EXPIRED -> "draining";
          case INCOMPLETE -> "failed";
          case DRAINED, VALIDATING -> {
            if (report.filter(DriverReport.State.RolledBack::equals).isPresent()) {
              yield "rolled-back";
            }
            if (passed) {
              yield "done";
            }
            if (maintenance.annotation(CxiNames.ROLLBACK_TO).isPresent()) {
              yield "rolling-back";
            }
            if (report.filter(DriverReport.State.RebootRequired::equals).isPresent()) {
              yield "reboot-required";
            }
            yield maintenance.state() == MaintenanceState.DRAINED ? "installing" : "verifying";
          }
        });
  }

  private static @Nullable String error(CxiNode node, String state) {
    return switch (state) {
      case "rolling-back", "rolled-back", "failed" ->
          node.maintenance()
              .flatMap(each -> each.annotation(CxiNames.FAILURE))
              .orElse(node.annotations().get(CxiNames.UPDATE_ERROR));
      default -> null;
    };
  }
}
