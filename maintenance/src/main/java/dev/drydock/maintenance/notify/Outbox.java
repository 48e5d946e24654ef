package dev.drydock.maintenance.notify;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Reflector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices on their way to the channels. What {@link #append} has taken is stored in the cluster and
 * reaches every channel that wants it at least once, the notices of one node in the order in which
 * they came, also if this process dies; unless the receiver refuses it, or takes nothing for longer
 * than the retention. Nothing of that keeps anybody waiting: append waits for the API server only.
 */
public final class Outbox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final Duration LAST_RECORDS = Duration.ofSeconds(5);

  private final Postroom room;
  private final Reflector<Stored> watch;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private final AtomicBoolean started = new AtomicBoolean();

  /** The channels are closed with the outbox; the connection is not. */
  public Outbox(
      KubeHttp http, OutboxSettings settings, List<Channel> channels, NoticeCounter counter) {
    Map<String, Gate> gates =
        channels.stream()
            .collect(Collectors.toUnmodifiableMap(Channel::name, channel -> new Gate(channel)));
    room = new Postroom(http, settings, gates, counter, new CountDownLatch(1));
    Reflector.Source source =
        new Reflector.Source(
            Stored.collection(settings.namespace()),
            "labelSelector=" + ApiCall.encode(Stored.LABEL + "=true"));
    watch =
        new Reflector<>(
            http,
            Reflector.Kind.of(source, Stored::read),
            new Reflector.Listener<>() {
              @Override
              public void changed(@Nullable Stored before, @Nullable Stored after) {
                Outbox.this.changed(before, after);
              }

              @Override
              public void refreshed() {
                Outbox.this.refreshed();
              }
            },
            Backoff.USUAL);
  }

  /**
   * Returns when the notice is stored; one that is stored already, or that no channel wants, is not
   * stored again.
   *
   * @throws dev.drydock.kube.ApiFailure if it could not be stored, or nobody knows; to be tried
   *     again
   */
  public void append(Notice notice) {
    Set<String> takers =
        room.gates().values().stream()
            .filter(gate -> gate.wants(notice))
            .map(Gate::name)
            .collect(Collectors.toSet());
    if (takers.isEmpty()) {
      return;
    }
    Lane lane = lane(notice.node(), Lane::enter);
    try {
      lane.append(notice, takers);
    } finally {
      lane.leave();
    }
  }

  /** Delivers what is stored and what comes; until then notices are only stored. */
  public void start() {
    if (started.compareAndSet(false, true)) {
      lanes.values().forEach(lane -> lane.start(this::retire));
      watch.start();
    }
  }

  private interface Use {
    void of(Lane lane);
  }

  /** A lane cannot go while it is being used here. */
  private Lane lane(String node, Use use) {
    return lanes.compute(
        node,
        (name, present) -> {
          Lane lane = present == null ? new Lane(name, room) : present;
          use.of(lane);
          if (started.get()) {
            lane.start(this::retire);
          }
          return lane;
        });
  }

  private boolean retire(Lane lane) {
    return lanes.computeIfPresent(lane.node(), (node, present) -> present.isIdle() ? null : present)
        == null;
  }

  private void changed(@Nullable Stored before, @Nullable Stored after) {
    if (after != null) {
      var _ = lane(after.node(), lane -> lane.seen(after));
    } else if (before != null) {
      lanes.computeIfPresent(
          before.node(),
          (node, lane) -> {
            lane.gone(before.version());
            return lane;
          });
    }
  }

  private void refreshed() {
    Reflector.State<Stored> state = watch.state();
    if (state.unsynced().isPresent()) {
      LOG.warn("stored notices cannot be read, trying again: {}", state.unsynced().get());
      return;
    }
    Map<String, Stored> byNode =
        state.items().stream()
            .collect(Collectors.toMap(Stored::node, Function.identity(), (one, other) -> other));
    byNode.forEach((node, stored) -> lane(node, lane -> lane.seen(stored)));
    lanes.forEach(
        (node, lane) -> {
          if (!byNode.containsKey(node)) {
            lane.missed();
          }
        });
  }

  /** Records what has arrived; what has not stays stored for the next process. */
  @Override
  public void close() {
    room.closing().countDown();
    watch.close();
    lanes.values().forEach(Lane::ring);
    long end = System.nanoTime() + LAST_RECORDS.toNanos();
    try {
      for (Lane lane : lanes.values()) {
        lane.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    room.gates().values().forEach(Gate::close);
  }
}
