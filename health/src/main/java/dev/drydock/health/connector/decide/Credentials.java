package dev.drydock.health.connector.decide;

/** What a caller showed, and what came of it. */
public sealed interface Credentials {
  /** No {@code authorization} header. */
  record None() implements Credentials {}

  /** The header twice, not a Bearer token, or empty. */
  record Malformed() implements Credentials {}

  /** A token that the API server refuses, or that is meant for somebody else. */
  record Invalid() implements Credentials {}

  /** A good token. */
  record Verified(PublisherIdentity identity) implements Credentials {}

  /**
   * The API server gave no verdict.
   *
   * @param why in which way
   */
  record Unknown(Outage why) implements Credentials {}

  /** Why there is no verdict. */
  enum Outage {
    UNAVAILABLE,
    TIMEOUT,
    ERROR
  }
}
