package dev.drydock.maintenance.notify;

import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pending notices. A notice given to {@link #append} is stored in the cluster and delivered at
 * least once to every channel that wants it, in order for each node, also if this process dies;
 * unless the receiver refuses it, or accepts nothing for longer than the retention. Appending waits
 * only for the API server, never for a receiver.
 */
public final class Outbox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final Duration LAST_RECORDS = Duration.ofSeconds(5);

  private final OutboxContext context;
  private final Watch<QueueConfigMap> watch;
  private final ControlLoops<String> recorders;
  private final ControlLoops<ChannelWorker.Key> workers;
  private final Map<String, NodeQueue> queues = new ConcurrentHashMap<>();
  private final AtomicBoolean started = new AtomicBoolean();

  /** The channels are closed with the outbox. */
  public Outbox(Kube kube, OutboxSettings settings, List<Channel> channels, NoticeCounter counter) {
    Map<String, ChannelLimiter> limiters =
        channels.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Channel::name, channel -> new ChannelLimiter(channel, kube.clock())));
    context = new OutboxContext(kube, settings, limiters, counter);
    recorders = kube.loops("notices", node -> () -> tend(node));
    workers =
        kube.loops(
            "notice-delivery",
            key ->
                new ChannelWorker(
                    key.node(),
                    Objects.requireNonNull(limiters.get(key.channel())),
                    this,
                    context));
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    Resource.CONFIG_MAPS
                        .in(settings.namespace())
                        .labelSelector(QueueConfigMap.LABEL + "=true"),
                    QueueConfigMap::read),
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
                });
  }

  /**
   * Returns when the notice is stored; one that is stored already, or that no channel wants, is not
   * stored again.
   *
   * @throws ApiFailure if it could not be stored, or that is unknown; to be retried
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
    NodeQueue queue = use(notice.node(), NodeQueue::enter);
    try {
      queue.append(notice, takers);
    } finally {
      queue.leave();
      wakeRecorder(notice.node());
    }
  }

  /** Delivers what is stored and what comes; until then notices are only stored. */
  public void start() {
    if (started.compareAndSet(false, true)) {
      queues.keySet().forEach(recorders::wake);
      watch.start();
    }
  }

  /** A queue cannot go while it is being used here. */
  private NodeQueue use(String node, Consumer<NodeQueue> use) {
    return queues.compute(
        node,
        (name, present) -> {
          NodeQueue queue = present == null ? new NodeQueue(name, context) : present;
          use.accept(queue);
          return queue;
        });
  }

  Optional<NodeQueue> queue(String node) {
    return Optional.ofNullable(queues.get(node));
  }

  void wakeRecorder(String node) {
    if (started.get()) {
      recorders.wake(node);
    }
  }

  void wakeWorker(ChannelWorker.Key key) {
    workers.wake(key);
  }

  /** One step for a node. */
  private Optional<Instant> tend(String node) {
    NodeQueue queue = queues.get(node);
    if (queue == null) {
      return Optional.empty();
    }
    Instant next = queue.tend(channel -> wakeWorker(new ChannelWorker.Key(node, channel)));
    return retire(queue) ? Optional.empty() : Optional.of(next);
  }

  private boolean retire(NodeQueue queue) {
    return queues.computeIfPresent(
            queue.node(), (node, present) -> present.isIdle() ? null : present)
        == null;
  }

  private void changed(@Nullable QueueConfigMap before, @Nullable QueueConfigMap after) {
    if (after != null) {
      seen(after);
    } else if (before != null) {
      queue(before.node()).ifPresent(queue -> queue.gone(before.version()));
      wakeRecorder(before.node());
    }
  }

  private void seen(QueueConfigMap stored) {
    var _ = use(stored.node(), queue -> queue.seen(stored));
    wakeRecorder(stored.node());
  }

  private void refreshed() {
    Watch.State<QueueConfigMap> state = watch.state();
    if (state.unsynced().isPresent()) {
      LOG.warn("cannot read stored notices; retrying: {}", state.unsynced().get());
      return;
    }
    Map<String, QueueConfigMap> byNode =
        state.items().stream()
            .collect(
                Collectors.toMap(QueueConfigMap::node, Function.identity(), (one, other) -> other));
    byNode.values().forEach(this::seen);
    queues.forEach(
        (node, queue) -> {
          if (!byNode.containsKey(node)) {
            queue.missed(state.listedAt());
            wakeRecorder(node);
          }
        });
  }

  /** Records what has arrived; what has not stays stored for the next process. */
  @Override
  public void close() {
    watch.close();
    workers.close();
    recorders.close();
    if (started.get()) {
      recordLast();
    }
    context.limiters().values().forEach(ChannelLimiter::close);
  }

  private void recordLast() {
    Instant end = context.now().plus(LAST_RECORDS);
    for (NodeQueue queue : queues.values()) {
      Duration left = Duration.between(context.now(), end);
      if (!left.isPositive()) {
        return;
      }
      try {
        queue.recordWithin(left);
      } catch (ExpectedFailure unrecorded) {
        LOG.debug("notices of node {} at the end: {}", queue.node(), unrecorded.getMessage());
      }
    }
  }
}
