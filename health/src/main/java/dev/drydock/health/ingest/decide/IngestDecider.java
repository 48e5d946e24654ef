package dev.drydock.health.ingest.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherIdentity;
import dev.drydock.health.connector.decide.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who may send events to the central ingest, and under which keys they are stored.
 *
 * @param connectors accounts of our own connectors, which have checked their events themselves
 * @param publishers the only other accounts; empty for all
 */
public record IngestDecider(Set<String> connectors, Set<String> publishers) {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern SPOOL = Pattern.compile("[0-9a-f-]{36}");

  public IngestDecider {
    connectors = Set.copyOf(connectors);
    publishers = Set.copyOf(publishers);
  }

  /** What a call comes to. */
  public sealed interface Verdict {
    /** None of it is taken. */
    record Refused(Refusal refusal) implements Verdict {}

    /**
     * All of it is taken.
     *
     * @param keyPrefix before the index of each event
     */
    record Accepted(String keyPrefix) implements Verdict {}

    /**
     * All of it is taken, under the keys that the connector gave the events.
     *
     * @param spool that the keys must begin with
     */
    record Forwarded(String spool) implements Verdict {}
  }

  /**
   * Decides about a call.
   *
   * @param keys as sent
   * @param spool as sent
   */
  public Verdict decide(
      Credentials credentials, List<String> keys, Optional<String> spool, List<HealthEvent> batch) {
    return switch (credentials) {
      case Credentials.None _ ->
          refused(
              Refusal.Kind.UNAUTHENTICATED,
              "token_missing",
              "send the token of your ServiceAccount as \"authorization: Bearer TOKEN\"");
      case Credentials.Malformed _ ->
          refused(
              Refusal.Kind.UNAUTHENTICATED,
              "malformed_credentials",
              "send one authorization header with \"Bearer TOKEN\"");
      case Credentials.Invalid _ ->
          refused(
              Refusal.Kind.UNAUTHENTICATED,
              "token_invalid",
              "the token is not valid, or is meant for another audience");
      case Credentials.Unknown unknown ->
          switch (unknown.why()) {
            case UNAVAILABLE ->
                refused(
                    Refusal.Kind.UNAVAILABLE,
                    "validator_unavailable",
                    "the API server cannot check the token now; try again");
            case TIMEOUT ->
                refused(
                    Refusal.Kind.DEADLINE_EXCEEDED,
                    "validator_timeout",
                    "the API server did not check the token in time; try again");
            case ERROR ->
                refused(Refusal.Kind.INTERNAL, "validator_error", "the token cannot be checked");
          };
      case Credentials.Verified verified -> decide(verified.identity(), keys, spool, batch);
    };
  }

  private Verdict decide(
      PublisherIdentity identity,
      List<String> keys,
      Optional<String> spool,
      List<HealthEvent> batch) {
    if (connectors.contains(identity.user())) {
      return spool.isPresent() ? forwarded(spool.get(), keys, batch) : anyNode(identity, keys);
    }
    if (!publishers.isEmpty() && !publishers.contains(identity.user())) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "identity_not_allowed",
          identity.user() + " is not among the publishers");
    }
    if (identity.podUid().isEmpty()) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "unbound_token",
          "the token of " + identity.user() + " is bound to no pod");
    }
    if (identity.node().isEmpty()) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "node_claim_absent",
          "the token of " + identity.user() + " names no node");
    }
    Optional<String> other =
        batch.stream()
            .map(HealthEvent::nodeName)
            .filter(name -> !name.equals(identity.node().get()))
            .findFirst();
    if (other.isPresent()) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "node_mismatch",
          "this caller may send events about node %s only, not about \"%s\""
              .formatted(identity.node().get(), other.get()));
    }
    return anyNode(identity, keys);
  }

  private static Verdict anyNode(PublisherIdentity identity, List<String> keys) {
    return key(keys)
        .<Verdict>map(
            key ->
                new Verdict.Accepted(identity.podUid().orElseGet(identity::user) + "#" + key + "#"))
        .orElseGet(IngestDecider::wrongKey);
  }

  private static Verdict forwarded(String spool, List<String> keys, List<HealthEvent> batch) {
    if (key(keys).isEmpty()) {
      return wrongKey();
    }
    if (!SPOOL.matcher(spool).matches()) {
      return refused(Refusal.Kind.INVALID_ARGUMENT, "idempotency_key", "that is no spool's id");
    }
    return batch.stream().anyMatch(event -> event.nodeName().isBlank())
        ? refused(Refusal.Kind.INVALID_ARGUMENT, "missing_node_name", "an event names no node")
        : new Verdict.Forwarded(spool);
  }

  private static Optional<String> key(List<String> keys) {
    return keys.size() == 1 && KEY.matcher(keys.getFirst()).matches()
        ? Optional.of(keys.getFirst())
        : Optional.empty();
  }

  private static Verdict wrongKey() {
    return refused(
        Refusal.Kind.INVALID_ARGUMENT,
        "idempotency_key",
        "send one idempotency-key of 1 to 128 letters, digits, '.', '_', ':' and '-'");
  }

  private static Verdict.Refused refused(Refusal.Kind kind, String reason, String message) {
    return new Verdict.Refused(new Refusal(kind, reason, message));
  }
}
