package dev.drydock.maintenance.notify;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
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

  private final OutboxContext context;
  private final Watch<QueueConfigMap> watch;
  private final Map<String, NodeQueue> queues = new ConcurrentHashMap<>();
  private final AtomicBoolean started = new AtomicBoolean();

  /** The channels are closed with the outbox; the connection is not. */
  public Outbox(
      KubeHttp http, OutboxSettings settings, List<Channel> channels, NoticeCounter counter) {
    Map<String, ChannelLimiter> limiters =
        channels.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Channel::name, channel -> new ChannelLimiter(channel)));
    context = new OutboxContext(http, settings, limiters, counter, new CountDownLatch(1));
    Source source =
        new Source(
            QueueConfigMap.collection(settings.namespace()),
            "labelSelector=" + ApiCall.encode(QueueConfigMap.LABEL + "=true"));
    watch =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(source, QueueConfigMap::read),
                new Watch.Listener<>() {
                  @Override
                  public void changed(
                      @Nullable QueueConfigMap before, @Nullable QueueConfigMap after) {
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
        context.limiters().values().stream()
            .filter(limiter -> limiter.wants(notice))
            .map(ChannelLimiter::name)
            .collect(Collectors.toSet());
    if (takers.isEmpty()) {
      return;
    }
    NodeQueue queue = queue(notice.node(), NodeQueue::enter);
    try {
      queue.append(notice, takers);
    } finally {
      queue.leave();
    }
  }

  /** Delivers what is stored and what comes; until then notices are only stored. */
  public void start() {
    if (started.compareAndSet(false, true)) {
      queues.values().forEach(queue -> queue.start(this::retire));
      watch.start();
    }
  }

  private interface Use {
    void of(NodeQueue queue);
  }

  /** A queue cannot go while it is being used here. */
  private NodeQueue queue(String node, Use use) {
    return queues.compute(
        node,
        (name, present) -> {
          NodeQueue queue = present == null ? new NodeQueue(name, context) : present;
          use.of(queue);
          if (started.get()) {
            queue.start(this::retire);
          }
          return queue;
        });
  }

  private boolean retire(NodeQueue queue) {
    return queues.computeIfPresent(
            queue.node(), (node, present) -> present.isIdle() ? null : present)
        == null;
  }

  private void changed(@Nullable QueueConfigMap before, @Nullable QueueConfigMap after) {
    if (after != null) {
      var _ = queue(after.node(), queue -> queue.seen(after));
    } else if (before != null) {
      queues.computeIfPresent(
          before.node(),
          (node, queue) -> {
            queue.gone(before.version());
            return queue;
          });
    }
  }

  private void refreshed() {
    Watch.State<QueueConfigMap> state = watch.state();
    if (state.unsynced().isPresent()) {
      LOG.warn("stored notices cannot be read, trying again: {}", state.unsynced().get());
      return;
    }
    Map<String, QueueConfigMap> byNode =
        state.items().stream()
            .collect(
                Collectors.toMap(QueueConfigMap::node, Function.identity(), (one, other) -> other));
    byNode.forEach((node, stored) -> queue(node, queue -> queue.seen(stored)));
    queues.forEach(
        (node, queue) -> {
          if (!byNode.containsKey(node)) {
            queue.missed();
          }
        });
  }

  /** Records what has arrived; what has not stays stored for the next process. */
  @Override
  public void close() {
    context.closing().countDown();
    watch.close();
    queues.values().forEach(NodeQueue::ring);
    long end = System.nanoTime() + LAST_RECORDS.toNanos();
    try {
      for (NodeQueue queue : queues.values()) {
        queue.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    context.limiters().values().forEach(ChannelLimiter::close);
  }
}
