package dev.drydock.health.store.served.decide;

import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.Refusal;
import java.util.Optional;
import java.util.Set;

/**
 * Who may use a served event store.
 *
 * @param accounts of processes of Drydock that work on events: each may read and change all of them
 */
public record StoreClients(Set<String> accounts) {
  public StoreClients {
    accounts = Set.copyOf(accounts);
  }

  /** Why a caller is not let in, if so. */
  public Optional<Refusal> refusal(Credentials credentials) {
    return credentials.unlessPodOf(
        accounts::contains, "the clients of the event store (eventStore.clients)");
  }
}
