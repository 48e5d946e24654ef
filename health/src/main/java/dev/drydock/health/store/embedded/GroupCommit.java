package dev.drydock.health.store.embedded;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes of several callers in one transaction: whoever gets the lock first does the work of all
 * who wait. A disk can keep few promises in a second, however small; so callers share one.
 */
final class GroupCommit {
  /** Work inside a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Where transactions begin and end. */
  interface Transactions {
    void begin() throws SQLException;

    void commit() throws SQLException;

    void rollback();
  }

  /** So that nobody waits for much more than his own work. */
  private static final int MOST_TOGETHER = 64;

  private static final class Waiting<T> {
    private final Work<T> work;
    private @Nullable T result;
    private @Nullable SQLException failure;
    private boolean done;

    private Waiting(Work<T> work) {
      this.work = work;
    }

    private void run() throws SQLException {
      result = work.run();
    }

    private T outcome() throws SQLException {
      if (failure != null) {
        throw new SQLException(failure.getMessage(), failure.getSQLState(), failure);
      }
      return Objects.requireNonNull(result);
    }
  }

  private final Transactions transactions;
  private final ConcurrentLinkedQueue<Waiting<?>> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock(true);

  GroupCommit(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Returns when the work is committed. If it fails, so does all work of the same transaction. */
  <T> T run(Work<T> work) throws SQLException {
    Waiting<T> mine = new Waiting<>(work);
    queue.add(mine);
    lock.lock();
    try {
      while (!mine.done) {
        runSome();
      }
    } finally {
      lock.unlock();
    }
    return mine.outcome();
  }

  private void runSome() {
    List<Waiting<?>> together = new ArrayList<>();
    Waiting<?> next = queue.poll();
    while (next != null) {
      together.add(next);
      next = together.size() < MOST_TOGETHER ? queue.poll() : null;
    }
    SQLException failure = attempt(together);
    if (failure != null && together.size() > 1) {
      // one caller's failure is not that of the others
      for (Waiting<?> each : together) {
        each.failure = attempt(List.of(each));
      }
    } else {
      together.forEach(each -> each.failure = failure);
    }
    together.forEach(each -> each.done = true);
  }

  private @Nullable SQLException attempt(List<Waiting<?>> together) {
    boolean committed = false;
    try {
      transactions.begin();
      for (Waiting<?> each : together) {
        each.run();
      }
      transactions.commit();
      committed = true;
      return null;
    } catch (SQLException failed) {
      return failed;
    } finally {
      if (!committed) {
        transactions.rollback();
      }
    }
  }
}
