package dev.drydock.health.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventStoreContract;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedStoreTest extends EventStoreContract {
  @TempDir private Path folder;

  @Override
  protected EventStore open() {
    return EmbeddedStore.open(folder, TimeSource.REAL);
  }

  @Test
  void aCopyIsConsistentAndARestoredStoreListsAgain() {
    Path copy = folder.resolve("copy.db");
    try (EmbeddedStore store = EmbeddedStore.open(folder, TimeSource.REAL)) {
      store.append(List.of(keyed("n1", "first", "k1")));
      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.LIST, () -> {});
      feed.next(10).forEach(feed::finished);
      assertThat(feed.next(10)).as("told what was listed meanwhile, too").isEmpty();
      feed.save();
      store.backup(copy);
      String lost = store.append(List.of(keyed("n1", "second", "k2"))).ids().getFirst();
      feed.next(10).forEach(feed::finished);

      store.restore(copy);

      assertThat(store.get(lost)).isEmpty();
      assertThat(feed.next(10)).extracting(Change::kind).containsExactly(Change.Kind.LISTED);
      assertThat(feed.relistReason()).hasValueSatisfying(why -> assertThat(why).contains("copy"));
      String instead = store.append(List.of(keyed("n1", "third", "k3"))).ids().getFirst();
      assertThat(instead).as("numbers are given again, ids are not").isNotEqualTo(lost);
      feed.close();
    }
  }

  @Test
  void aCopyThatIsNoneIsRefusedAndNothingIsChanged() throws IOException {
    Path other =
        Files.writeString(folder.resolve("notes.txt"), "no database at all, but some text");
    try (EmbeddedStore store = EmbeddedStore.open(folder, TimeSource.REAL)) {
      store.append(List.of(event("n1", "kept")));

      assertThatThrownBy(() -> store.restore(other)).hasMessageContaining("notes.txt");
      assertThatThrownBy(() -> store.restore(folder.resolve("none")))
          .hasMessageContaining("there is no file");
      assertThatThrownBy(() -> store.backup(other)).hasMessageContaining("exists");
      assertThat(store.query(EventQuery.ALL)).hasSize(1);
    }
  }

  /** Whoever is acknowledged something must find it after a restart. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatWasRemovedOrReplacedTakesNothingAndSaysSo(boolean replaced) throws IOException {
    Path copy = folder.resolve("copy.db");
    Path file = folder.resolve("events.db");
    try (EmbeddedStore store = EmbeddedStore.open(folder, TimeSource.REAL)) {
      store.append(List.of(event("n1", "before")));
      store.backup(copy);
      assertThat(store.unready()).isEmpty();

      if (replaced) {
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.delete(file);
      }

      assertThat(store.unready().orElse("")).contains(file + " was removed or replaced");
      assertThatThrownBy(() -> store.append(List.of(event("n1", "lost"))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining(file + " was removed or replaced while it is in use");
    }
  }

  @Test
  void anotherProcessMayReadAndRestoreMeanwhile() {
    Path copy = folder.resolve("copy.db");
    try (EmbeddedStore one = EmbeddedStore.open(folder, TimeSource.REAL);
        EmbeddedStore other = EmbeddedStore.open(folder, TimeSource.REAL)) {
      one.append(List.of(event("n1", "a")));
      other.backup(copy);
      one.append(List.of(event("n1", "b")));
      assertThat(other.query(EventQuery.ALL)).hasSize(2);

      other.restore(copy);
      one.append(List.of(event("n1", "c")));

      assertThat(other.query(EventQuery.ALL))
          .extracting(stored -> stored.event().message())
          .containsExactly("a", "c");
    }
  }

  @Test
  void appendsOfManyCallersAreAllThereInTheirOrder() throws InterruptedException {
    try (EmbeddedStore store = EmbeddedStore.open(folder, TimeSource.REAL)) {
      List<Thread> threads =
          IntStream.range(0, 8)
              .mapToObj(
                  node ->
                      Thread.ofVirtual()
                          .start(
                              () -> {
                                for (int i = 0; i < 20; i++) {
                                  store.append(List.of(event("n" + node, "m" + i)));
                                }
                              }))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }

      for (int node = 0; node < 8; node++) {
        assertThat(store.query(EventQuery.ALL.ofNode("n" + node)))
            .extracting(stored -> stored.event().message())
            .containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(i -> "m" + i).toList());
      }
    }
  }

  @Test
  void aFolderThatCannotBeUsedIsNamed() throws IOException {
    Path taken = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> EmbeddedStore.open(taken, TimeSource.REAL))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(taken.toString());
  }

  @Test
  void manyOldEventsGoInSmallPartsAndNothingElse() {
    try (EmbeddedStore store = EmbeddedStore.open(folder, TimeSource.REAL)) {
      List<String> old =
          store
              .append(IntStream.range(0, 12_000).mapToObj(i -> event("n1", "old" + i)).toList())
              .ids();
      store.update(old.getLast(), StatusUpdate.NONE.episode("e"));
      Instant between = store.get(old.getLast()).orElseThrow().createdAt().plusMillis(1);
      Eventually.inRealTime().until(() -> Instant.now().isAfter(between));
      String young = store.append(List.of(event("n1", "young"))).ids().getFirst();
      store.update(young, StatusUpdate.NONE.episode("y"));
      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.NOW, () -> {});

      assertThat(store.expire(between)).isEqualTo(12_000);
      assertThat(store.expire(between)).isZero();

      assertThat(store.query(EventQuery.ALL)).extracting(StoredEvent::id).containsExactly(young);
      assertThat(store.history("other").now())
          .as("positions are not given twice")
          .endsWith(":12003");
      String next = store.append(List.of(event("n1", "next"))).ids().getFirst();
      assertThat(feed.next(10)).extracting(change -> change.event().id()).containsExactly(next);
      feed.close();
    }
  }

  @Test
  void newEventsAreRefusedBeforeTheDiskIsFull() {
    AtomicLong free = new AtomicLong(1L << 30);
    try (EmbeddedStore store = EmbeddedStore.open(folder, TimeSource.REAL, free::get)) {
      assertThat(store.unready()).isEmpty();

      free.set(100L << 20);

      assertThat(store.unready())
          .hasValueSatisfying(
              why -> assertThat(why).contains(folder.toString(), "100 MiB", "eventStore.ttl"));
    }
  }
}
