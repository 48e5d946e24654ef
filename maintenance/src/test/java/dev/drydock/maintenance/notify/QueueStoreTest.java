package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedCluster;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueStoreTest {
  private static final String NODE = "node-1";

  private final OutboxFixture fixture =
      OutboxFixture.simulated(SimulatedCluster.Settings.defaults());
  private final QueueStore store =
      new QueueStore(NODE, fixture.operator().http(), fixture.settings().namespace());

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aListFromBeforeTheQueueWasWrittenDoesNotProveThatNoOldEventCanArrive() {
    store.change(
        before ->
            List.of(
                new QueuedNotice(
                    before.nextKey(),
                    Instant.EPOCH,
                    Set.of("first"),
                    TestNotices.numbered(NODE, 1))));
    String written = store.known().version();
    store.change(_ -> List.of());

    store.missed("1");

    assertThat(store.isSurelyEmpty()).isFalse();

    store.missed(written);

    assertThat(store.isSurelyEmpty()).isTrue();
  }
}
