package dev.drydock.drain.hold.decide;

/**
 * Reasons by which Drydock's writers of {@code DrainInProgress} and {@code Drained} recognize each
 * other. The engine may overwrite a maintenance's values, not the other way round while a drain
 * runs or is done. Neither overwrites another writer's True.
 */
public final class DrainConditionReasons {
  public static final String MAINTENANCE = "DrydockMaintenance";
  public static final String NO_MAINTENANCE = "DrydockNoMaintenance";

  private static final String PREFIX = "Drydock";

  private DrainConditionReasons() {}

  public static boolean isOurs(String reason) {
    return reason.startsWith(PREFIX);
  }

  public static boolean isOfMaintenance(String reason) {
    return reason.equals(MAINTENANCE) || reason.equals(NO_MAINTENANCE);
  }

  public static boolean isOfEngine(String reason) {
    return isOurs(reason) && !isOfMaintenance(reason);
  }
}
