package dev.drydock.health.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoreFeed;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.time.VirtualTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that get stuck, and processes that die, at random. */
class NodeFeedTest {
  private static final int EVENTS = 6000;
  private static final List<String> NODES = List.of("a", "b", "c", "d");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<Change> changes = new ArrayList<>();
  private final Map<String, List<String>> worked = new LinkedHashMap<>();
  private final Set<String> decided = new HashSet<>();
  private Optional<String> saved = Optional.of("0");
  private PendingEvents pending = new PendingEvents();
  private NodeFeed feed = process();

  /** A history in memory; its positions are the numbers of changes. */
  private final class History implements FeedSource {
    @Override
    public Optional<String> load() {
      return saved;
    }

    @Override
    public void save(String token) {
      saved = Optional.of(token);
    }

    @Override
    public String now() {
      return Integer.toString(changes.size());
    }

    @Override
    public List<Change> read(String after, int most) {
      int from = Integer.parseInt(after);
      return List.copyOf(changes.subList(from, Math.min(changes.size(), from + most)));
    }
  }

  private NodeFeed process() {
    return new NodeFeed(
        new NodeFeed.Handler() {
          @Override
          public ChangeFeed open() {
            EventStore unused =
                (EventStore)
                    Proxy.newProxyInstance(
                        NodeFeedTest.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, _) -> {
                          throw new AssertionError(method);
                        });
            return new StoreFeed(
                new StoreFeed.Context(unused, new History(), time),
                "c",
                ChangeFilter.ALL,
                FeedStart.LIST,
                () -> {});
          }

          @Override
          public Optional<Pending> take(Change change, boolean again, Runnable done) {
            return decided.contains(change.event().id())
                ? Optional.empty()
                : Optional.of(new Pending(change.event(), again, done));
          }

          @Override
          public void wake(String node) {}

          @Override
          public void wakeFeed() {}
        },
        pending,
        time.clock());
  }

  private void append(String node) {
    String id = "e%05d".formatted(changes.size() + 1);
    StoredEvent event =
        new StoredEvent(
            id,
            time.now(),
            HealthEvent.builder().nodeName(node).id(id).build(),
            HealthEventStatus.NEW,
            "");
    changes.add(
        new Change(
            Integer.toString(changes.size() + 1), Change.Kind.INSERTED, event, StatusUpdate.NONE));
  }

  /** Works on the first ones, and says whether the node can go on. */
  private Optional<Instant> work(String node, int most, boolean stuck) {
    List<Pending> batch = pending.first(node, most);
    for (Pending each : batch) {
      if (decided.add(each.stored().id())) {
        worked.computeIfAbsent(node, _ -> new ArrayList<>()).add(each.stored().id());
      }
    }
    pending.done(node, batch.size());
    return stuck || pending.has(node) ? Optional.of(time.now()) : Optional.empty();
  }

  @Test
  void aNameThatNoNodeCanHaveIsPassedOver() {
    append("../a");
    append("a");

    var _ = feed.read();
    var _ = feed.step("a", () -> work("a", 10, false));
    feed.close();

    assertThat(pending.has("../a")).isFalse();
    assertThat(worked).containsOnlyKeys("a");
    assertThat(saved).contains("2");
  }

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyChangeIsWorkedOnInTheOrderOfItsNode(long seed) {
    Random random = new Random(seed);
    String stuck = "a";
    while (changes.size() < EVENTS) {
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          String flooding = NODES.get(random.nextInt(NODES.size()));
          for (int i = random.nextInt(400); i > 0; i--) {
            append(random.nextInt(4) == 0 ? NODES.get(random.nextInt(NODES.size())) : flooding);
          }
        }
        case 2, 3 -> feed.read();
        case 4 -> time.advance(Duration.ofSeconds(random.nextInt(4)));
        case 5 -> stuck = NODES.get(random.nextInt(NODES.size()));
        case 6 -> {
          if (random.nextInt(10) == 0) {
            pending = new PendingEvents();
            feed = process();
          }
        }
        default -> step(random, stuck);
      }
    }

    for (int round = 0; decided.size() < changes.size() && round < 1000; round++) {
      time.advance(Duration.ofSeconds(6));
      feed.read();
      NODES.forEach(node -> feed.step(node, () -> work(node, EVENTS, false)));
    }
    for (String node : NODES) {
      assertThat(worked.get(node))
          .as("seed %d, node %s", seed, node)
          .isEqualTo(
              changes.stream()
                  .map(Change::event)
                  .filter(event -> event.event().nodeName().equals(node))
                  .map(StoredEvent::id)
                  .toList());
    }
  }

  private void step(Random random, String stuck) {
    for (String node : NODES) {
      boolean cannot = node.equals(stuck);
      int most = cannot ? random.nextInt(3) : 1 + random.nextInt(200);
      var _ = feed.step(node, () -> work(node, most, cannot));
    }
  }
}
