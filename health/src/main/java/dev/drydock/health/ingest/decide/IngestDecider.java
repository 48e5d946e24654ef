package dev.drydock.health.ingest.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
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
 * @param publishers the only other accounts: any pod can get a token, and an event ends a
 *     quarantine
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

    /** All of it is taken, under the keys that the connector gave the events. */
    record Forwarded() implements Verdict {}
  }

  /** Why a caller is refused whatever it sends, if so. */
  public Optional<Refusal> admission(Credentials credentials) {
    return switch (credentials) {
      case Credentials.None none -> Optional.of(none.refusal());
      case Credentials.Rejected rejected -> Optional.of(rejected.refusal());
      case Credentials.Verified verified ->
          connectors.contains(verified.identity().user())
                  || publishers.contains(verified.identity().user())
              ? verified.identity().unbound()
              : Optional.of(
                  new Refusal(
                      Refusal.Kind.PERMISSION_DENIED,
                      "identity_not_allowed",
                      verified.identity().user()
                          + " is not among the publishers of the ingest (eventIngest.publishers)"));
    };
  }

  /**
   * Decides about a call.
   *
   * @param keys as sent
   * @param spool as sent
   */
  public Verdict decide(
      Credentials credentials, List<String> keys, Optional<String> spool, List<HealthEvent> batch) {
    Optional<Refusal> refusal = admission(credentials);
    return refusal.isEmpty() && credentials instanceof Credentials.Verified verified
        ? decide(verified.identity(), keys, spool, batch)
        : new Verdict.Refused(refusal.orElseThrow());
  }

  private Verdict decide(
      PublisherIdentity identity,
      List<String> keys,
      Optional<String> spool,
      List<HealthEvent> batch) {
    if (connectors.contains(identity.user())) {
      return spool.isPresent() ? forwarded(spool.get(), keys, batch) : anyNode(identity, keys);
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
        .<Verdict>map(key -> new Verdict.Accepted(identity.podUid().orElse("") + "#" + key + "#"))
        .orElseGet(IngestDecider::wrongKey);
  }

  private static Verdict forwarded(String spool, List<String> keys, List<HealthEvent> batch) {
    if (key(keys).isEmpty()) {
      return wrongKey();
    }
    if (!SPOOL.matcher(spool).matches()) {
      return refused(Refusal.Kind.INVALID_ARGUMENT, "idempotency_key", "that is no spool's id");
    }
    if (batch.stream().anyMatch(event -> event.nodeName().isBlank())) {
      return refused(Refusal.Kind.INVALID_ARGUMENT, "missing_node_name", "an event names no node");
    }
    return batch.stream()
            .map(event -> event.metadata().getOrDefault(HealthNames.IDEMPOTENCY_KEY, ""))
            .allMatch(key -> key.startsWith(spool + "#"))
        ? new Verdict.Forwarded()
        : refused(
            Refusal.Kind.INVALID_ARGUMENT,
            "idempotency_key",
            "an event's key does not begin with the id of the spool");
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
