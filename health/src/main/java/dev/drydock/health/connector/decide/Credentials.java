package dev.drydock.health.connector.decide;

import java.util.Optional;
import java.util.function.Predicate;

/** What a caller showed, and what came of it. */
public sealed interface Credentials {
  /**
   * Why a caller is not let in where only pods of some accounts are, if so.
   *
   * @param where the list of these accounts, for people
   */
  default Optional<Refusal> unlessPodOf(Predicate<String> accounts, String where) {
    return switch (this) {
      case None none -> Optional.of(none.refusal());
      case Rejected rejected -> Optional.of(rejected.refusal());
      case Verified(PublisherIdentity identity) ->
          accounts.test(identity.user())
              ? identity.unbound()
              : Optional.of(
                  new Refusal(
                      Refusal.Kind.PERMISSION_DENIED,
                      "identity_not_allowed",
                      identity.user() + " is not among " + where));
    };
  }

  /** No {@code authorization} header. */
  record None() implements Credentials {
    /** Where nobody is let in without a token. */
    public Refusal refusal() {
      return new Refusal(
          Refusal.Kind.UNAUTHENTICATED,
          "token_missing",
          "send the token of your ServiceAccount as \"authorization: Bearer TOKEN\"");
    }
  }

  /** Nobody is known by it; the call is refused, unless there is only no verdict yet. */
  sealed interface Rejected extends Credentials {
    Refusal refusal();
  }

  /** The header twice, not a Bearer token, or empty. */
  record Malformed() implements Rejected {
    @Override
    public Refusal refusal() {
      return new Refusal(
          Refusal.Kind.UNAUTHENTICATED,
          "malformed_credentials",
          "send one authorization header with \"Bearer TOKEN\"");
    }
  }

  /** A token that the API server refuses, or that is meant for somebody else. */
  record Invalid() implements Rejected {
    @Override
    public Refusal refusal() {
      return new Refusal(
          Refusal.Kind.UNAUTHENTICATED,
          "token_invalid",
          "the token is not valid, or is meant for another audience");
    }
  }

  /** A good token. */
  record Verified(PublisherIdentity identity) implements Credentials {}

  /**
   * The API server gave no verdict.
   *
   * @param why in which way
   */
  record Unknown(Outage why) implements Rejected {
    @Override
    public Refusal refusal() {
      return switch (why) {
        case UNAVAILABLE ->
            new Refusal(
                Refusal.Kind.UNAVAILABLE,
                "validator_unavailable",
                "the API server cannot check the token now; try again");
        case TIMEOUT ->
            new Refusal(
                Refusal.Kind.DEADLINE_EXCEEDED,
                "validator_timeout",
                "the API server did not check the token in time; try again");
        case ERROR ->
            new Refusal(Refusal.Kind.INTERNAL, "validator_error", "the token cannot be checked");
      };
    }
  }

  /** Why there is no verdict. */
  enum Outage {
    UNAVAILABLE,
    TIMEOUT,
    ERROR
  }
}
