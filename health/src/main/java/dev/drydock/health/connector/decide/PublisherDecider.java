package dev.drydock.health.connector.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may send events about which node.
 *
 * @param node of this connector
 * @param crossNodeAccounts that may send events about any node
 * @param failOpen without a verdict a caller counts as one of this node
 */
public record PublisherDecider(String node, Set<String> crossNodeAccounts, boolean failOpen) {
  public PublisherDecider {
    crossNodeAccounts = Set.copyOf(crossNodeAccounts);
  }

  public PublisherScope scope(Credentials credentials) {
    return switch (credentials) {
      case Credentials.None _ -> new PublisherScope.OwnNode(false);
      case Credentials.Unknown _ when failOpen -> new PublisherScope.OwnNode(true);
      case Credentials.Rejected rejected -> new PublisherScope.Refused(rejected.refusal());
      case Credentials.Verified verified -> scope(verified.identity());
    };
  }

  private PublisherScope scope(PublisherIdentity identity) {
    if (identity.node().isPresent() && !identity.node().get().equals(node)) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "node_claim_mismatch",
          "the token belongs to a pod on node " + identity.node().get() + ", not on " + node);
    }
    if (!crossNodeAccounts.contains(identity.user())) {
      return new PublisherScope.OwnNode(false);
    }
    if (identity.podUid().isEmpty()) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "unbound_cross_node_token",
          "the token of " + identity.user() + " is bound to no pod");
    }
    if (identity.node().isEmpty()) {
      return refused(
          Refusal.Kind.PERMISSION_DENIED,
          "cross_node_claim_absent",
          "the token of " + identity.user() + " names no node");
    }
    return new PublisherScope.AnyNode();
  }

  private static PublisherScope.Refused refused(Refusal.Kind kind, String reason, String message) {
    return new PublisherScope.Refused(new Refusal(kind, reason, message));
  }

  /** Why a batch is refused, if so: all of it, before any of it is changed or taken. */
  public Optional<Refusal> check(PublisherScope scope, List<HealthEvent> batch) {
    return switch (scope) {
      case PublisherScope.Refused refused -> Optional.of(refused.refusal());
      case PublisherScope.AnyNode _ ->
          batch.stream().anyMatch(event -> event.nodeName().isBlank())
              ? Optional.of(
                  new Refusal(
                      Refusal.Kind.INVALID_ARGUMENT, "missing_node_name", "an event names no node"))
              : Optional.empty();
      case PublisherScope.OwnNode own ->
          batch.stream()
              .map(HealthEvent::nodeName)
              .filter(name -> !name.isBlank() && !name.equals(node))
              .findFirst()
              .map(other -> otherNode(other, own.guessed()));
    };
  }

  private Refusal otherNode(String other, boolean guessed) {
    return guessed
        ? new Refusal(
            Refusal.Kind.UNAVAILABLE,
            "validator_unavailable",
            "the API server cannot check now who may send events about node " + other)
        : new Refusal(
            Refusal.Kind.PERMISSION_DENIED,
            "node_mismatch",
            "this caller may send events about node " + node + " only, not about " + other);
  }

  /** The events with the node's name where they have none. */
  public List<HealthEvent> named(List<HealthEvent> batch) {
    return batch.stream()
        .map(event -> event.nodeName().isBlank() ? event.toBuilder().nodeName(node).build() : event)
        .toList();
  }
}
