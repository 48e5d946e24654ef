package dev.drydock.health.store.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventStoreContract;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusField;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract through the real driver, on a server in memory. */
class MongoStoreTest extends EventStoreContract {
  private final MongoTestServer server = MongoTestServer.newDatabase();

  @Override
  protected EventStore open() {
    return MongoStore.open(server.config(), TimeSource.REAL);
  }

  /**
   * That server does not say which fields an update changed, and shows the document as it is when
   * the change is read. So each change is read before the next update; {@link MongoDocumentsTest}
   * has what MongoDB itself says.
   */
  @Override
  @Test
  protected void aPartIsToldFromTheWhole() {
    try (EventStore store = open()) {
      String id = store.append(List.of(event("n1", "m"))).ids().getFirst();
      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.NOW, () -> {});
      List<Change> changes = new ArrayList<>();
      for (StatusUpdate update :
          List.of(
              StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED),
              StatusUpdate.NONE.evictionStatus(HealthStatus.IN_PROGRESS),
              StatusUpdate.NONE.eviction(HealthStatus.SUCCEEDED, "all gone"))) {
        assertThat(store.update(id, update)).isTrue();
        changes.addAll(feed.next(10));
      }

      assertThat(changes)
          .extracting(change -> List.copyOf(change.update().values().keySet()))
          .containsExactly(
              List.of(StatusField.NODE_QUARANTINED),
              List.of(StatusField.USER_PODS_EVICTION_STATUS_STATUS),
              List.of(StatusField.USER_PODS_EVICTION_STATUS));
      assertThat(changes.stream().filter(ChangeFilter.QUARANTINE_DECISIONS::wants)).hasSize(1);
      assertThat(changes.stream().filter(ChangeFilter.FINISHED_DRAINS::wants)).hasSize(1);
      feed.close();
    }
  }
}
