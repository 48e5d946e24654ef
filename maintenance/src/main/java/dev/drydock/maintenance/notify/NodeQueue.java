package dev.drydock.maintenance.notify;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pending notices of one node. A {@link ChannelWorker} per channel delivers them in order, so
 * that a failing receiver does not delay the others. Deliveries are recorded separately, several at
 * a time.
 */
final class NodeQueue {
  private static final Logger LOG = LoggerFactory.getLogger(NodeQueue.class);

  /** A ConfigMap may have up to 1 MiB. */
  private static final int MOST_BYTES = 768 * 1024;

  /**
   * Deliveries are recorded after this many at the latest; after a crash, unrecorded ones are
   * repeated.
   */
  private static final int BATCH = 20;

  private final String node;
  private final OutboxContext context;
  private final QueueStore store;
  private final DeliveryMarks marks;

  /** Channels that have a worker. */
  private final Set<String> workers = new HashSet<>();

  /** Those of them that do not wait for anything. */
  private final Set<String> busy = new HashSet<>();

  private int users;

  NodeQueue(String node, OutboxContext context) {
    this.node = node;
    this.context = context;
    store = new QueueStore(node, context.kube().http(), context.settings().namespace());
    marks = new DeliveryMarks(context.limiters().keySet());
  }

  String node() {
    return node;
  }

  /** Keeps the queue from going until {@link #leave}. */
  synchronized void enter() {
    users++;
  }

  synchronized void leave() {
    users--;
  }

  synchronized boolean isIdle() {
    return users == 0 && workers.isEmpty() && store.isSurelyEmpty();
  }

  void seen(QueueConfigMap stored) {
    store.seen(stored);
  }

  void gone(String version) {
    store.gone(version);
  }

  void missed(String listedAt) {
    store.missed(listedAt);
  }

  /** Stores a notice unless it is stored already. */
  void append(Notice notice, Set<String> takers) {
    List<QueuedNotice> dropped = new ArrayList<>();
    store.change(
        before -> {
          dropped.clear();
          if (before.holds(notice.deduplicationId())) {
            return before.entries();
          }
          List<QueuedNotice> after = marks.left(before.entries());
          after.add(new QueuedNotice(before.nextKey(), context.now(), takers, notice));
          while (isTooMuch(after)) {
            dropped.add(after.removeFirst());
          }
          return after;
        });
    dropped.forEach(queued -> context.giveUp(queued, "too many pending notices for node " + node));
  }

  private boolean isTooMuch(List<QueuedNotice> entries) {
    return entries.size() > context.settings().mostPerNode()
        || entries.stream().mapToInt(QueuedNotice::size).sum() > MOST_BYTES;
  }

  /**
   * Drops expired notices, starts delivery of the others, and records deliveries.
   *
   * @param begin gets the channels that need a worker
   * @return when the next notice expires
   */
  Instant tend(Consumer<String> begin) {
    QueueConfigMap stored = store.refresh();
    expire(stored.entries());
    newWorkers().forEach(begin);
    if (isTimeToRecord()) {
      store.change(this::arrivalsRecorded);
    }
    marks.keepOnly(store.known().entries());
    return nextExpiry();
  }

  /** Called at the end: deliveries that are not recorded are repeated by the next process. */
  void recordWithin(Duration time) {
    store.changeWithin(time, this::arrivalsRecorded);
  }

  private List<QueuedNotice> arrivalsRecorded(QueueConfigMap before) {
    if (!before.unreadable().isEmpty()) {
      LOG.warn(
          "removing unknown keys {} from ConfigMap {}",
          before.unreadable(),
          QueueConfigMap.name(node));
    }
    return marks.left(before.entries());
  }

  /**
   * While workers deliver, one later write can record several deliveries. Workers that wait for a
   * failing receiver count as idle.
   */
  private boolean isTimeToRecord() {
    QueueConfigMap stored = store.known();
    List<QueuedNotice> left = marks.left(stored.entries());
    boolean change = stored.changeTo(left, context.settings().namespace()).isPresent();
    synchronized (this) {
      return change && (busy.isEmpty() || stored.entries().size() - left.size() >= BATCH);
    }
  }

  private void expire(List<QueuedNotice> entries) {
    for (QueuedNotice queued : marks.left(entries)) {
      if (!context.expiry(queued).isAfter(context.now())) {
        queued.pending().forEach(channel -> marks.mark(queued, channel));
        context.giveUp(queued, "not delivered within " + context.settings().retention());
      }
    }
  }

  private Instant nextExpiry() {
    return marks.left(store.known().entries()).stream()
        .map(context::expiry)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MAX);
  }

  private synchronized List<String> newWorkers() {
    List<String> fresh =
        context.limiters().keySet().stream()
            .filter(channel -> !workers.contains(channel) && next(channel).isPresent())
            .toList();
    workers.addAll(fresh);
    busy.addAll(fresh);
    return fresh;
  }

  private Optional<QueuedNotice> next(String channel) {
    return marks.next(store.known().entries(), channel);
  }

  /** For a worker: the next notice for its channel; if there is none the worker ends. */
  synchronized Optional<QueuedNotice> nextOrEnd(String channel) {
    Optional<QueuedNotice> next = next(channel);
    if (next.isEmpty()) {
      workers.remove(channel);
      busy.remove(channel);
    } else {
      busy.add(channel);
    }
    return next;
  }

  void mark(QueuedNotice queued, String channel) {
    marks.mark(queued, channel);
  }

  /** A worker has to wait. */
  synchronized void rests(String channel) {
    busy.remove(channel);
  }
}
