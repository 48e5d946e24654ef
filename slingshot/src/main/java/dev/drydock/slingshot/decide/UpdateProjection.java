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
 * The state of a node's update in the annotations that clients of CXI drivers know. No decision
 * reads them back; {@code drydock status} shows them.
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
    Map<String, @Nullable String> wanted = new LinkedHashMap<>();
    state(node, spec, rollout)
        .ifPresent(
            state -> {
              wanted.put(CxiNames.UPDATE_STATE, state.text());
              String before = node.annotations().get(CxiNames.UPDATE_STATE);
              if (state == UpdateState.DRAINING && !state.text().equals(before)) {
                wanted.put(
                    CxiNames.UPDATE_STARTED_AT, now.truncatedTo(ChronoUnit.SECONDS).toString());
              }
              wanted.put(CxiNames.UPDATE_ERROR, error(node, state));
            });
    wanted
        .entrySet()
        .removeIf(each -> Objects.equals(node.annotations().get(each.getKey()), each.getValue()));
    return wanted;
  }

  private static Optional<UpdateState> state(
      CxiNode node, EffectiveSpec spec, Optional<String> rollout) {
    if (node.maintenance().isPresent()) {
      return Optional.of(during(node, node.maintenance().get()));
    }
    // without a roll-out what was shown once is kept up to date, such as after OnDelete
    boolean shown = node.annotations().containsKey(CxiNames.UPDATE_STATE) && spec.installs();
    if (rollout.isEmpty() && !shown) {
      return Optional.empty();
    }
    if (node.isAt(spec.revision())) {
      return Optional.of(UpdateState.DONE);
    }
    return Optional.of(
        node.wentBackFrom(spec.revision()) ? UpdateState.ROLLED_BACK : UpdateState.PENDING);
  }

  private static UpdateState during(CxiNode node, CxiNode.Maintenance maintenance) {
    return switch (maintenance.state()) {
      case NONE, SCHEDULED, UNKNOWN -> UpdateState.PENDING;
      case STARTED, SLA_EXPIRED -> UpdateState.DRAINING;
      case INCOMPLETE -> UpdateState.FAILED;
      case DRAINED, VALIDATING -> worked(node, maintenance);
    };
  }

  private static UpdateState worked(CxiNode node, CxiNode.Maintenance maintenance) {
    Optional<DriverReport.State> report = node.reportOn(maintenance).map(DriverReport::state);
    if (report.filter(DriverReport.State.RolledBack::equals).isPresent()) {
      return UpdateState.ROLLED_BACK;
    }
    boolean passed =
        maintenance
            .annotation(MaintenanceNames.VALIDATION_CLIENT)
            .filter(MaintenanceNames.VALIDATED::equals)
            .isPresent();
    if (passed) {
      return UpdateState.DONE;
    }
    if (maintenance.annotation(CxiNames.ROLLBACK_TO).isPresent()) {
      return UpdateState.ROLLING_BACK;
    }
    if (report.filter(DriverReport.State.RebootRequired::equals).isPresent()) {
      return UpdateState.REBOOT_REQUIRED;
    }
    return maintenance.state() == MaintenanceState.DRAINED
        ? UpdateState.INSTALLING
        : UpdateState.VERIFYING;
  }

  private static @Nullable String error(CxiNode node, UpdateState state) {
    return switch (state) {
      case ROLLING_BACK, ROLLED_BACK, FAILED ->
          node.maintenance()
              .flatMap(CxiNode.Maintenance::failure)
              .map(UpdateFailure::message)
              .orElse(node.annotations().get(CxiNames.UPDATE_ERROR));
      case PENDING, DRAINING, INSTALLING, VERIFYING, DONE, REBOOT_REQUIRED -> null;
    };
  }
}
