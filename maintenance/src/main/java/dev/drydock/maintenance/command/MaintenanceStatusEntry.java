package dev.drydock.maintenance.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.feature.StatusEntry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a NotifyMaintenance says about its node. */
public final class MaintenanceStatusEntry {
  private MaintenanceStatusEntry() {}

  /** Null if it is over. */
  public static @Nullable StatusEntry read(JsonNode object) {
    NotifyMaintenanceObject seen = NotifyMaintenanceObject.read(object);
    if (seen.facts().isOver()) {
      return null;
    }
    MaintenanceState state = seen.facts().state();
    String wait =
        state == MaintenanceState.NONE
            ? "NotifyMaintenance %s to be taken up; is 'drydock operator' running?".formatted(seen)
            : MaintenanceProgress.waitsFor(seen);
    return new StatusEntry(
        seen.facts().node(),
        NotifyMaintenance.KIND,
        StatusEntry.TASK + rank(state),
        state == MaintenanceState.NONE ? Optional.empty() : Optional.of(state.text()),
        seen.since(),
        Optional.of(
            new StatusEntry.Task(
                seen.facts().spec().maintenanceID(),
                seen.facts().spec().maintenanceClass(),
                seen.facts().identity().namespace(),
                seen.facts().identity().name(),
                state.text())),
        "",
        state == MaintenanceState.STARTED ? seen.facts().slaExpires() : Optional.empty(),
        wait.isEmpty() ? List.of() : List.of(wait));
  }

  /** The further it is, the more it says about the node. */
  private static int rank(MaintenanceState state) {
    return switch (state) {
      case NONE -> 0;
      case UNKNOWN -> 1;
      case SCHEDULED -> 2;
      case STARTED -> 3;
      case SLA_EXPIRED -> 4;
      case DRAINED -> 5;
      case VALIDATING -> 6;
      case INCOMPLETE -> 7;
    };
  }
}
