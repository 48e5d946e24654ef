package dev.drydock.maintenance.notify;

import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notices of one node on their way. A {@link ChannelWorker} per channel carries them in order,
 * so that one dead receiver holds up no other; a thread records what has arrived, several at a
 * time.
 */
final class NodeQueue {
  private static final Logger LOG = LoggerFactory.getLogger(NodeQueue.class);

  /** A ConfigMap takes 1 MiB. */
  private static final int MOST_BYTES = 768 * 1024;

  /** So many are recorded at once at the latest; after a crash they would be carried again. */
  private static final int BATCH = 20;

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final String node;
  private final OutboxContext context;
  private final QueueStore store;
  private final DeliveryMarks marks;
  private final WakeUp bell = new WakeUp();

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> workers = new HashSet<>();
  private int busy;
  private int users;
  private @Nullable Thread recorder;

  NodeQueue(String node, OutboxContext context) {
    this.node = node;
    this.context = context;
    store = new QueueStore(node, context.http(), context.settings().namespace());
    marks = new DeliveryMarks(context.limiters().keySet());
  }

  String node() {
    return node;
  }

  /** Keeps the queue from going until {@link #leave}. */
  void enter() {
    lock.lock();
    try {
      users++;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      users--;
    } finally {
      lock.unlock();
    }
    bell.ring();
  }

  boolean isIdle() {
    lock.lock();
    try {
      return users == 0 && workers.isEmpty() && store.isSurelyEmpty();
    } finally {
      lock.unlock();
    }
  }

  void seen(QueueConfigMap stored) {
    store.seen(stored);
    bell.ring();
  }

  void gone(String version) {
    store.gone(version);
    bell.ring();
  }

  void missed() {
    store.missed();
    bell.ring();
  }

  void ring() {
    bell.ring();
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
    dropped.forEach(queued -> context.giveUp(queued, "too many wait for node " + node));
  }

  private boolean isTooMuch(List<QueuedNotice> entries) {
    return entries.size() > context.settings().mostPerNode()
        || entries.stream().mapToInt(QueuedNotice::size).sum() > MOST_BYTES;
  }

  /** Begins to deliver; ends when {@code retire} agrees that the queue is idle. */
  void start(Predicate<NodeQueue> retire) {
    lock.lock();
    try {
      if (recorder == null) {
        recorder = Thread.ofVirtual().name("notices of " + node).start(() -> work(retire));
      }
    } finally {
      lock.unlock();
    }
  }

  private void work(Predicate<NodeQueue> retire) {
    int failures = 0;
    try {
      while (!context.isClosed()) {
        try {
          tend();
          failures = 0;
          if (retire.test(this)) {
            return;
          }
          var _ = bell.await(untilNextExpiry());
        } catch (RuntimeException failed) {
          failures++;
          tell(failed, failures);
          context.rest(context.settings().backoff().after(failures));
        }
      }
      record();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException unrecorded) {
      // What arrived and is not recorded is carried again by whoever comes next.
      LOG.debug("notices of node {} at the end: {}", node, unrecorded.getMessage());
    }
  }

  private static void tell(RuntimeException failed, int failures) {
    if (failures > 1) {
      return; // it was told
    }
    if (failed instanceof ApiFailure) {
      LOG.warn("{}; trying again", failed.getMessage());
    } else {
      LOG.error("notices wait because of a bug", failed);
    }
  }

  private void tend() {
    QueueConfigMap stored = store.refresh();
    expire(stored.entries());
    startWorkers();
    if (isTimeToRecord()) {
      record();
    }
    marks.keepOnly(store.known().entries());
  }

  private void record() {
    store.change(
        before -> {
          if (!before.unreadable().isEmpty()) {
            LOG.warn(
                "{} in ConfigMap {} are no notices and are removed",
                before.unreadable(),
                QueueConfigMap.name(node));
          }
          return marks.left(before.entries());
        });
  }

  /**
   * While workers deliver, more arrives soon, and one write can record it all. Workers that wait
   * for a dead receiver count as at rest.
   */
  private boolean isTimeToRecord() {
    QueueConfigMap stored = store.known();
    List<QueuedNotice> left = marks.left(stored.entries());
    boolean change = stored.changeTo(left, context.settings().namespace()).isPresent();
    lock.lock();
    try {
      return change && (busy == 0 || stored.entries().size() - left.size() >= BATCH);
    } finally {
      lock.unlock();
    }
  }

  private void expire(List<QueuedNotice> entries) {
    for (QueuedNotice queued : marks.left(entries)) {
      if (!context.expiry(queued).isAfter(context.now())) {
        queued.pending().forEach(channel -> marks.mark(queued, channel));
        context.giveUp(queued, "nobody took it for " + context.settings().retention());
      }
    }
  }

  private Duration untilNextExpiry() {
    Duration wait = LONGEST_WAIT;
    for (QueuedNotice queued : marks.left(store.known().entries())) {
      Duration left = Duration.between(context.now(), context.expiry(queued)).plusMillis(1);
      wait = left.compareTo(wait) < 0 ? left : wait;
    }
    return wait;
  }

  private void startWorkers() {
    lock.lock();
    try {
      for (ChannelLimiter limiter : context.limiters().values()) {
        String channel = limiter.name();
        if (!workers.contains(channel) && next(channel).isPresent()) {
          workers.add(channel);
          busy++;
          Thread.ofVirtual()
              .name(channel + " for " + node)
              .start(new ChannelWorker(this, limiter, context));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<QueuedNotice> next(String channel) {
    return marks.next(store.known().entries(), channel);
  }

  /** For a worker: the next notice for its channel; if there is none the worker ends. */
  Optional<QueuedNotice> nextOrEnd(String channel) {
    lock.lock();
    try {
      Optional<QueuedNotice> next = context.isClosed() ? Optional.empty() : next(channel);
      if (next.isEmpty()) {
        workers.remove(channel);
        busy--;
        bell.ring();
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  void mark(QueuedNotice queued, String channel) {
    marks.mark(queued, channel);
    bell.ring();
  }

  /** For a worker that has to wait. */
  void rest(Duration time) throws InterruptedException {
    addBusy(-1);
    bell.ring();
    context.rest(time);
    addBusy(1);
  }

  private void addBusy(int more) {
    lock.lock();
    try {
      busy += more;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the recording thread to end. */
  void join(Duration most) throws InterruptedException {
    Thread started;
    lock.lock();
    try {
      started = recorder;
    } finally {
      lock.unlock();
    }
    if (started != null) {
      var _ = started.join(most);
    }
  }
}
