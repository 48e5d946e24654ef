package dev.drydock.health.connector.decide;

import java.util.Optional;

/**
 * Who a good token belongs to.
 *
 * @param user such as {@code system:serviceaccount:NAMESPACE:NAME}
 * @param podUid empty if the token is bound to no pod
 * @param node empty if the token's pod was never scheduled
 */
public record PublisherIdentity(String user, Optional<String> podUid, Optional<String> node) {
  /**
   * Why the token is not that of a pod on a node, if so. Any other one outlives its process, and
   * whoever gets hold of it can use it from anywhere.
   */
  public Optional<Refusal> unbound() {
    if (podUid.isEmpty()) {
      return Optional.of(
          new Refusal(
              Refusal.Kind.PERMISSION_DENIED,
              "unbound_token",
              "the token of " + user + " is bound to no pod"));
    }
    return node.isPresent()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Refusal.Kind.PERMISSION_DENIED,
                "node_claim_absent",
                "the token of " + user + " names no node"));
  }
}
