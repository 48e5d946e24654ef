package dev.drydock.health.request.decide;

/** The next step for a MaintenanceRequest. Every step is idempotent; decide again after it. */
public sealed interface MaintenanceRequestStep {
  /** Nothing, until something changes. */
  record Wait() implements MaintenanceRequestStep {}

  /** Add the finalizer. */
  record Adopt() implements MaintenanceRequestStep {}

  /**
   * Set the condition.
   *
   * @param status True, False or Unknown
   */
  record Say(String status, String reason, String message) implements MaintenanceRequestStep {}

  /** Make it the active one of its node. */
  record Claim() implements MaintenanceRequestStep {}

  /** Publish its event, make its maintenance, and say so. */
  record Open() implements MaintenanceRequestStep {}

  /**
   * End its maintenance, take it off the node, and let it go.
   *
   * @param published whether its event may have been published, so that it has to be cleared
   */
  record End(boolean published) implements MaintenanceRequestStep {}
}
