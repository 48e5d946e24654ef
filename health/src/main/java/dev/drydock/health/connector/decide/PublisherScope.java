package dev.drydock.health.connector.decide;

/** The nodes that a caller may send events about. */
public sealed interface PublisherScope {
  /**
   * Only this connector's node; a blank name means it.
   *
   * @param guessed because the API server did not answer; then a refusal may be repeated
   */
  record OwnNode(boolean guessed) implements PublisherScope {}

  /** Every node; each event must name one. */
  record AnyNode() implements PublisherScope {}

  /** None. */
  record Refused(Refusal refusal) implements PublisherScope {}
}
