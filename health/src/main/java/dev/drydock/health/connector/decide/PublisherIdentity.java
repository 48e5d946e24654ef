package dev.drydock.health.connector.decide;

import java.util.Optional;

/**
 * Who a good token belongs to.
 *
 * @param user such as {@code system:serviceaccount:NAMESPACE:NAME}
 * @param podUid empty if the token is bound to no pod
 * @param node empty if the token's pod was never scheduled
 */
public record PublisherIdentity(String user, Optional<String> podUid, Optional<String> node) {}
