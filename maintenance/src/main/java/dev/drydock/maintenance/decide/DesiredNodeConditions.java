package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.decide.DrainState;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The desired standard conditions of a Node, given all its maintenances. */
public final class DesiredNodeConditions {
  /** Condition types that Kubernetes defines for this purpose. */
  public enum Type {
    MaintenancePlanned,
    DrainInProgress,
    Drained,
    MaintenanceInProgress
  }

  private static final String MAINTENANCE = "DrydockMaintenance";
  private static final String NO_MAINTENANCE = "DrydockNoMaintenance";
  private static final Set<Type> ABOUT_DRAINS = EnumSet.of(Type.DrainInProgress, Type.Drained);

  /**
   * One condition.
   *
   * @param maintenance the one that makes it true; empty if it is false
   */
  public record Desired(boolean value, Optional<MaintenanceFacts> maintenance) {
    public String reason() {
      return value ? MAINTENANCE : NO_MAINTENANCE;
    }
  }

  /** A current condition of the Node. */
  public record Present(boolean value, String reason) {
    public static final Present NEVER_SAID = new Present(false, "");

    /** Whether it is another writer's True, which is left alone. */
    private boolean isOfAnother() {
      return value && !reason.equals(MAINTENANCE) && !reason.equals(NO_MAINTENANCE);
    }
  }

  private DesiredNodeConditions() {}

  /** Those that have to be written; see {@link DrainState} for who may write what. */
  public static Map<Type, Desired> changes(
      Collection<MaintenanceFacts> maintenances, Map<Type, Present> present) {
    boolean engineSpeaks =
        ABOUT_DRAINS.stream()
            .map(type -> present.getOrDefault(type, Present.NEVER_SAID))
            .anyMatch(said -> said.value() && DrainState.isReason(said.reason()));
    Map<Type, Desired> changes = of(maintenances);
    changes
        .entrySet()
        .removeIf(
            change -> {
              Present said = present.getOrDefault(change.getKey(), Present.NEVER_SAID);
              return said.value() == change.getValue().value()
                  || said.isOfAnother()
                  || (engineSpeaks && ABOUT_DRAINS.contains(change.getKey()));
            });
    return changes;
  }

  static Map<Type, Desired> of(Collection<MaintenanceFacts> maintenances) {
    Map<Type, Desired> desired = new EnumMap<>(Type.class);
    desired.put(Type.MaintenancePlanned, any(maintenances, DesiredNodeConditions::isPlanned));
    desired.put(Type.DrainInProgress, any(maintenances, DesiredNodeConditions::isDraining));
    // A node that is drained for one maintenance and not yet for another is not drained.
    desired.put(
        Type.Drained,
        desired.get(Type.DrainInProgress).value()
            ? new Desired(false, Optional.empty())
            : any(maintenances, DesiredNodeConditions::isDrained));
    desired.put(Type.MaintenanceInProgress, any(maintenances, DesiredNodeConditions::isWorkedOn));
    return desired;
  }

  private static Desired any(
      Collection<MaintenanceFacts> maintenances, Predicate<MaintenanceFacts> test) {
    Optional<MaintenanceFacts> first =
        maintenances.stream().filter(each -> !each.isOver()).filter(test).findFirst();
    return new Desired(first.isPresent(), first);
  }

  private static boolean isPlanned(MaintenanceFacts maintenance) {
    return maintenance.state() == MaintenanceState.SCHEDULED && !maintenance.deleted();
  }

  private static boolean isDraining(MaintenanceFacts maintenance) {
    return !maintenance.terminated()
        && (maintenance.state() == MaintenanceState.STARTED
            || maintenance.state() == MaintenanceState.SLA_EXPIRED);
  }

  private static boolean isDrained(MaintenanceFacts maintenance) {
    return switch (maintenance.state()) {
      case DRAINED, VALIDATING, INCOMPLETE -> true;
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED, UNKNOWN -> false;
    };
  }

  private static boolean isWorkedOn(MaintenanceFacts maintenance) {
    return switch (maintenance.state()) {
      case VALIDATING, INCOMPLETE -> true;
      case DRAINED ->
          maintenance
              .condition(MaintenanceNames.MAINTENANCE_CONDITION)
              .filter(MaintenanceNames.IN_PROGRESS::equals)
              .isPresent();
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED, UNKNOWN -> false;
    };
  }
}
