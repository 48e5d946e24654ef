package dev.drydock.maintenance.notify;

import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Bell;
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
 * The notices of one node on their way. A {@link Courier} per channel carries them in order, so
 * that one dead receiver holds up no other; a clerk records what has arrived, several at a time.
 */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /** A ConfigMap takes 1 MiB. */
  private static final int MOST_BYTES = 768 * 1024;

  /** So many are recorded at once at the latest; after a crash they would be carried again. */
  private static final int BATCH = 20;

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final String node;
  private final Postroom room;
  private final Box box;
  private final Ledger ledger;
  private final Bell bell = new Bell();

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> couriers = new HashSet<>();
  private int busy;
  private int users;
  private @Nullable Thread clerk;

  Lane(String node, Postroom room) {
    this.node = node;
    this.room = room;
    box = new Box(node, room.http(), room.settings().namespace());
    ledger = new Ledger(room.gates().keySet());
  }

  String node() {
    return node;
  }

  /** Keeps the lane from going until {@link #leave}. */
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
      return users == 0 && couriers.isEmpty() && box.isSurelyEmpty();
    } finally {
      lock.unlock();
    }
  }

  void seen(Stored stored) {
    box.seen(stored);
    bell.ring();
  }

  void gone(String version) {
    box.gone(version);
    bell.ring();
  }

  void missed() {
    box.missed();
    bell.ring();
  }

  void ring() {
    bell.ring();
  }

  /** Stores a notice unless it is stored already. */
  void append(Notice notice, Set<String> takers) {
    List<Entry> dropped = new ArrayList<>();
    box.change(
        before -> {
          dropped.clear();
          if (before.holds(notice.deduplicationId())) {
            return before.entries();
          }
          List<Entry> after = ledger.left(before.entries());
          after.add(new Entry(before.nextKey(), room.now(), takers, notice));
          while (isTooMuch(after)) {
            dropped.add(after.removeFirst());
          }
          return after;
        });
    dropped.forEach(entry -> room.giveUp(entry, "too many wait for node " + node));
  }

  private boolean isTooMuch(List<Entry> entries) {
    return entries.size() > room.settings().mostPerNode()
        || entries.stream().mapToInt(Entry::size).sum() > MOST_BYTES;
  }

  /** Begins to deliver; ends when {@code retire} agrees that the lane is idle. */
  void start(Predicate<Lane> retire) {
    lock.lock();
    try {
      if (clerk == null) {
        clerk = Thread.ofVirtual().name("notices of " + node).start(() -> work(retire));
      }
    } finally {
      lock.unlock();
    }
  }

  private void work(Predicate<Lane> retire) {
    int failures = 0;
    try {
      while (!room.isClosed()) {
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
          room.rest(room.settings().backoff().after(failures));
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
    Stored stored = box.refresh();
    expire(stored.entries());
    startCouriers();
    if (isTimeToRecord()) {
      record();
    }
    ledger.keepOnly(box.known().entries());
  }

  private void record() {
    box.change(
        before -> {
          if (!before.unreadable().isEmpty()) {
            LOG.warn(
                "{} in ConfigMap {} are no notices and are removed",
                before.unreadable(),
                Stored.name(node));
          }
          return ledger.left(before.entries());
        });
  }

  /**
   * While couriers are on their way more arrives soon, and one write can record it all. Couriers
   * that wait for a dead receiver count as at rest.
   */
  private boolean isTimeToRecord() {
    Stored stored = box.known();
    List<Entry> left = ledger.left(stored.entries());
    boolean change = stored.changeTo(left, room.settings().namespace()).isPresent();
    lock.lock();
    try {
      return change && (busy == 0 || stored.entries().size() - left.size() >= BATCH);
    } finally {
      lock.unlock();
    }
  }

  private void expire(List<Entry> entries) {
    for (Entry entry : ledger.left(entries)) {
      if (!room.expiry(entry).isAfter(room.now())) {
        entry.pending().forEach(channel -> ledger.mark(entry, channel));
        room.giveUp(entry, "nobody took it for " + room.settings().retention());
      }
    }
  }

  private Duration untilNextExpiry() {
    Duration wait = LONGEST_WAIT;
    for (Entry entry : ledger.left(box.known().entries())) {
      Duration left = Duration.between(room.now(), room.expiry(entry)).plusMillis(1);
      wait = left.compareTo(wait) < 0 ? left : wait;
    }
    return wait;
  }

  private void startCouriers() {
    lock.lock();
    try {
      for (Gate gate : room.gates().values()) {
        String channel = gate.name();
        if (!couriers.contains(channel) && next(channel).isPresent()) {
          couriers.add(channel);
          busy++;
          Thread.ofVirtual().name(channel + " for " + node).start(new Courier(this, gate, room));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<Entry> next(String channel) {
    return ledger.next(box.known().entries(), channel);
  }

  /** For a courier: the next notice for its channel; if there is none the courier is over. */
  Optional<Entry> nextOrEnd(String channel) {
    lock.lock();
    try {
      Optional<Entry> next = room.isClosed() ? Optional.empty() : next(channel);
      if (next.isEmpty()) {
        couriers.remove(channel);
        busy--;
        bell.ring();
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  void mark(Entry entry, String channel) {
    ledger.mark(entry, channel);
    bell.ring();
  }

  /** For a courier that has to wait. */
  void rest(Duration time) throws InterruptedException {
    addBusy(-1);
    bell.ring();
    room.rest(time);
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

  /** Waits for the clerk to end. */
  void join(Duration most) throws InterruptedException {
    Thread started;
    lock.lock();
    try {
      started = clerk;
    } finally {
      lock.unlock();
    }
    if (started != null) {
      var _ = started.join(most);
    }
  }
}
