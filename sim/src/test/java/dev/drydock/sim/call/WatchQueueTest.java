package dev.drydock.sim.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchQueueTest {
  private static final String PODS = "pods.";
  private static final int HISTORY = 3;
  private static final Duration AT_ONCE = Duration.ZERO;

  private final Store store = new Store(HISTORY);
  private final WatchQueues queues = new WatchQueues(store);

  WatchQueueTest() {
    store.open(PODS);
  }

  private void put(String name, String node) {
    ObjectNode pod = JsonTrees.object();
    JsonTrees.metadata(pod).put("name", name);
    pod.putObject("spec").put("nodeName", node);
    store.write(
        () -> {
          store.put(PODS, new ObjectKey("", name), pod);
          return true;
        });
  }

  private WatchQueue podsOn(String node) {
    return queues.open(PODS, Optional.of(FieldSelector.Exact.of("spec.nodeName", node)));
  }

  @Test
  void aWatchGetsWhatConcernsItAndKnowsHowFarThatIs() throws InterruptedException {
    try (WatchQueue queue = podsOn("a")) {
      put("one", "a");
      put("two", "b");

      assertThat(queue.take(AT_ONCE))
          .extracting(change -> change.key().name())
          .containsExactly("one");
      assertThat(queue.takenUpTo()).as("with the change that is none of its").isEqualTo(2);
      assertThat(queue.take(AT_ONCE)).isEmpty();
      assertThat(queue.isBehind()).isFalse();
    }
  }

  @Test
  void aCallerThatReadsTooSlowlyIsCutOffAndNotToldOfWhatItMissed() throws InterruptedException {
    try (WatchQueue queue = podsOn("a")) {
      put("one", "a");
      assertThat(queue.take(AT_ONCE)).hasSize(1);
      for (int i = 0; i <= HISTORY; i++) {
        put("more-" + i, "a");
      }

      assertThat(queue.isBehind()).isTrue();
      assertThat(queue.take(AT_ONCE)).extracting(ObjectChange::version).containsExactly(2L, 3L, 4L);
      assertThat(queue.takenUpTo()).as("not that of the last change").isEqualTo(1);
    }
  }

  @Test
  void whoWaitsIsWokenWhenNothingMoreCanCome() throws InterruptedException {
    try (WatchQueue queue = podsOn("a")) {
      store.drop(PODS);

      assertThat(queue.take(Duration.ofDays(1))).isEmpty();
      assertThat(store.keeps(PODS)).isFalse();
    }
  }
}
