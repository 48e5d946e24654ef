package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The annotations by which clients report, with their allowed values and which of them are final.
 */
public enum ClientAnnotation {
  READY(MaintenanceNames.READY, MaintenanceNames.READY_CONDITION),
  MAINTENANCE(MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.MAINTENANCE_CONDITION),
  VALIDATION(MaintenanceNames.VALIDATION_CLIENT, MaintenanceNames.VALIDATION_CONDITION);

  private final String annotation;
  private final String condition;

  ClientAnnotation(String annotation, String condition) {
    this.annotation = annotation;
    this.condition = condition;
  }

  public static ClientAnnotation of(String annotation) {
    return Arrays.stream(values())
        .filter(known -> known.annotation.equals(annotation))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(annotation));
  }

  /** The annotation that a maintenance in this state waits for. */
  static Optional<ClientAnnotation> awaitedIn(MaintenanceState state) {
    return switch (state) {
      case STARTED, SLA_EXPIRED -> Optional.of(READY);
      case DRAINED -> Optional.of(MAINTENANCE);
      case VALIDATING -> Optional.of(VALIDATION);
      case NONE, SCHEDULED, INCOMPLETE, UNKNOWN -> Optional.empty();
    };
  }

  /** The annotation by which a maintenance claims that the step it waits for was passed. */
  public static Optional<ClientAnnotation> claimed(MaintenanceFacts maintenance) {
    return awaitedIn(maintenance.state())
        .filter(as -> maintenance.annotation(as.annotation).equals(Optional.of(as.passed())))
        .filter(as -> !maintenance.condition(as.condition).equals(Optional.of(as.passed())));
  }

  /** The value that lets a maintenance go on towards the return of its node. */
  String passed() {
    return switch (this) {
      case READY -> MaintenanceNames.TRUE;
      case MAINTENANCE -> MaintenanceNames.COMPLETE;
      case VALIDATION -> MaintenanceNames.VALIDATED;
    };
  }

  public String annotation() {
    return annotation;
  }

  /** The condition that records its accepted value. */
  public String condition() {
    return condition;
  }

  /** In the order of the states. */
  public List<String> allowed() {
    return switch (this) {
      case READY -> List.of(MaintenanceNames.FALSE, MaintenanceNames.TRUE);
      case MAINTENANCE ->
          List.of(
              MaintenanceNames.IN_PROGRESS, MaintenanceNames.COMPLETE, MaintenanceNames.INCOMPLETE);
      case VALIDATION ->
          List.of(
              MaintenanceNames.IN_PROGRESS, MaintenanceNames.VALIDATED, MaintenanceNames.FAILED);
    };
  }

  public boolean allows(String value) {
    return allowed().contains(value);
  }

  /** Whether it is final: all but the first. */
  public boolean isFinal(String value) {
    return allows(value) && !value.equals(allowed().getFirst());
  }
}
