package dev.drydock.drain.engine.decide;

/**
 * Reasons of a Node's conditions {@code DrainInProgress} and {@code Drained}, by which those of
 * Drydock know each other. The drain engine has the first word on the two: it may write over what a
 * maintenance says, and while it says that a drain runs or is done, a maintenance leaves both
 * alone. Nobody writes over a True of others.
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
