package dev.drydock.health.consume;

import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.kube.Resource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands the changes of a store to the loops of their nodes. A feed has room for few changes that
 * are not finished, and a node that cannot be worked on must not take it from the others: most of
 * its changes are passed over, and the feed is read again from its position when the node can be
 * worked on again. Thread-safe.
 */
public final class NodeFeed implements AutoCloseable {
  private static final int PAGE = 500;

  /** How many changes wait for a node that cannot be worked on. */
  private static final int STUCK = 10;

  /** A feed that is read again tells much that is done already. */
  private static final Duration BETWEEN_REWINDS = Duration.ofSeconds(5);

  /** How far the clock of whoever stores events may be ahead of ours. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(5);

  /** A consumer of changes. */
  public interface Handler {
    ChangeFeed open();

    /**
     * The event that waits for the loop of its node; empty if nothing is to be done.
     *
     * @param again whether it may have been worked on before
     * @param done to be called when it is worked on
     */
    Optional<Pending> take(Change change, boolean again, Runnable done);

    /** There is something for the node's loop. */
    void wake(String node);

    /** The feed is to be read. */
    void wakeFeed();
  }

  private final Handler handler;
  private final PendingEvents pending;
  private final Clock clock;
  private final Set<String> stuck = new HashSet<>();

  /** Nodes whose changes are passed over, from one on that is not finished. */
  private final Set<String> passedOver = new HashSet<>();

  private @Nullable ChangeFeed feed;
  private Instant opened = Instant.EPOCH;
  private boolean rewinds;

  public NodeFeed(Handler handler, PendingEvents pending, Clock clock) {
    this.handler = handler;
    this.pending = pending;
    this.clock = clock;
  }

  /** A change of a feed that waits. */
  private record Finish(ChangeFeed feed, Change change) implements Runnable {
    @Override
    public void run() {
      feed.finished(change);
    }
  }

  /**
   * Reads what there is, for one thread at a time.
   *
   * @return when to read again, if not woken before
   */
  public Instant read() {
    Instant later = rewind();
    ChangeFeed open = open();
    List<Change> next = open.next(PAGE);
    while (!next.isEmpty()) {
      Set<String> nodes = new HashSet<>();
      for (Change change : next) {
        nodes.add(change.event().event().nodeName());
        take(open, change);
      }
      nodes.forEach(handler::wake);
      next = open.next(PAGE);
    }
    return later;
  }

  private ChangeFeed open() {
    ChangeFeed present = feed;
    if (present == null) {
      opened = clock.instant();
      present = handler.open();
      feed = present;
    }
    return present;
  }

  /** Why the feed lists instead of telling changes, if it does. */
  public Optional<String> relistReason() {
    ChangeFeed present = feed;
    return present == null ? Optional.empty() : present.relistReason();
  }

  private Instant rewind() {
    synchronized (this) {
      Instant due = opened.plus(BETWEEN_REWINDS);
      if (!rewinds) {
        return Instant.MAX;
      }
      if (clock.instant().isBefore(due)) {
        return due;
      }
      rewinds = false;
      passedOver.clear();
    }
    ChangeFeed before = feed;
    feed = null;
    if (before != null) {
      before.close();
    }
    return Instant.MAX;
  }

  private synchronized void take(ChangeFeed open, Change change) {
    String node = change.event().event().nodeName();
    boolean again =
        change.kind() == Change.Kind.LISTED
            || change.event().createdAt().isBefore(opened.plus(CLOCK_SKEW));
    if (passedOver.contains(node) || !Resource.isName(node)) {
      open.finished(change); // a name that no Node can have: others write to the store, too
    } else if (stuck.contains(node) && pending.count(node) >= STUCK) {
      passedOver.add(node); // not finished, so that the position stays before it
    } else {
      handler
          .take(change, again, new Finish(open, change))
          .ifPresentOrElse(pending::add, () -> open.finished(change));
    }
  }

  /**
   * Runs a step of a node's loop.
   *
   * @param step works on what waits for the node; empty when all of that is done, otherwise when it
   *     can go on
   */
  public Optional<Instant> step(String node, Supplier<Optional<Instant>> step) {
    return step(node, step, Optional::isEmpty);
  }

  /**
   * Runs a step of a node's loop.
   *
   * @param step works on what waits for the node
   * @param done whether it has come to the end of that, by what it returns
   */
  public <T> T step(String node, Supplier<T> step, Predicate<T> done) {
    boolean through = false;
    try {
      T result = step.get();
      through = done.test(result);
      return result;
    } finally {
      if (through) {
        through(node);
      } else {
        stuck(node);
      }
    }
  }

  /** How many events wait, except for nodes that cannot be worked on. */
  public synchronized int waiting() {
    return pending.count() - stuck.stream().mapToInt(pending::count).sum();
  }

  private void stuck(String node) {
    boolean fewer;
    synchronized (this) {
      fewer = stuck.add(node);
      List<Pending> rest =
          pending.dropAfter(node, STUCK, waiting -> waiting.done() instanceof Finish);
      if (!rest.isEmpty()) {
        passedOver.add(node);
        // the first one is not finished, so that the position stays before it
        rest.subList(1, rest.size()).forEach(waiting -> waiting.done().run());
      }
    }
    if (fewer) {
      handler.wakeFeed(); // its events do not count as waiting any more
    }
  }

  private void through(String node) {
    boolean due;
    synchronized (this) {
      stuck.remove(node);
      rewinds |= passedOver.contains(node);
      due = rewinds;
    }
    if (due) {
      handler.wakeFeed();
    }
  }

  @Override
  public void close() {
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
  }
}
