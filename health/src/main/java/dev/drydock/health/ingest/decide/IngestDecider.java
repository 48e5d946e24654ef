package dev.drydock.health.ingest.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherDecider;
import dev.drydock.health.connector.decide.PublisherIdentity;
import dev.drydock.health.connector.decide.PublisherScope;
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
  /** Why a call is refused whose keys are wrong. */
  public static final String IDEMPOTENCY_KEY = "idempotency_key";

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
     * @param key under which the events are stored, each with its index
     * @param batch the events, each with the name of its node
     * @param crossNode whether the caller may send events about any node
     */
    record Accepted(String key, List<HealthEvent> batch, boolean crossNode) implements Verdict {
      public Accepted {
        batch = List.copyOf(batch);
      }
    }

    /** All of it is taken, under the keys that the connector gave the events. */
    record Forwarded() implements Verdict {}
  }

  /** Why a caller is refused whatever it sends, if so. */
  public Optional<Refusal> admission(Credentials credentials) {
    return credentials.unlessPodOf(
        account -> connectors.contains(account) || publishers.contains(account),
        "the publishers of the ingest (eventIngest.publishers)");
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
    boolean connector = connectors.contains(identity.user());
    PublisherScope scope =
        connector ? new PublisherScope.AnyNode() : new PublisherScope.OwnNode(false);
    // as on a node: that of the caller's pod
    PublisherDecider nodes =
        new PublisherDecider(identity.node().orElseThrow(), Set.of(), /* failOpen= */ false);
    Optional<Refusal> refusal = nodes.check(scope, batch);
    if (refusal.isPresent()) {
      return new Verdict.Refused(refusal.get());
    }
    if (connector && spool.isPresent()) {
      return forwarded(spool.get(), keys, batch);
    }
    return key(keys)
        .<Verdict>map(
            key ->
                new Verdict.Accepted(
                    identity.podUid().orElseThrow() + "#" + key, nodes.named(batch), connector))
        .orElseGet(IngestDecider::wrongKey);
  }

  private static Verdict forwarded(String spool, List<String> keys, List<HealthEvent> batch) {
    if (key(keys).isEmpty()) {
      return wrongKey();
    }
    if (!SPOOL.matcher(spool).matches()) {
      return badKey("that is no spool's id");
    }
    return batch.stream()
            .map(event -> event.metadata().getOrDefault(HealthNames.IDEMPOTENCY_KEY, ""))
            .allMatch(key -> key.startsWith(spool + "#"))
        ? new Verdict.Forwarded()
        : badKey("an event's key does not begin with the id of the spool");
  }

  private static Optional<String> key(List<String> keys) {
    return keys.size() == 1 && KEY.matcher(keys.getFirst()).matches()
        ? Optional.of(keys.getFirst())
        : Optional.empty();
  }

  private static Verdict wrongKey() {
    return badKey("send one idempotency-key of 1 to 128 letters, digits, '.', '_', ':' and '-'");
  }

  private static Verdict.Refused badKey(String message) {
    return new Verdict.Refused(
        new Refusal(Refusal.Kind.INVALID_ARGUMENT, IDEMPOTENCY_KEY, message));
  }
}
