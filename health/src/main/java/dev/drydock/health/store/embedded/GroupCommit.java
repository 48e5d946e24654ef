package dev.drydock.health.store.embedded;

import dev.drydock.kube.Bugs;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    private @Nullable Exception failure;
    private boolean committed;
    private boolean done;

    private Waiting(Work<T> work) {
      this.work = work;
    }

    private void run() throws SQLException {
      result = work.run();
    }

    private T outcome() throws SQLException {
      if (committed) {
        return Objects.requireNonNull(result);
      }
      switch (failure) {
        case RuntimeException bug -> throw bug;
        case SQLException refused ->
            throw new SQLException(refused.getMessage(), refused.getSQLState(), refused);
        case null, default -> throw new SQLException("the transaction was not committed", failure);
      }
    }

    private void attempted(@Nullable Exception failed) {
      failure = failed;
      committed = failed == null;
    }
  }

  private final Transactions transactions;
  private final ConcurrentLinkedQueue<Waiting<?>> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock(true);

  GroupCommit(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Returns when the work is committed. If work fails, all of its transaction is repeated alone.
   */
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
    try {
      Exception failure = attempt(together);
      if (failure != null && together.size() > 1) {
        // one caller's failure is not that of the others
        for (Waiting<?> each : together) {
          each.attempted(attempt(List.of(each)));
        }
      } else {
        together.forEach(each -> each.attempted(failure));
      }
    } finally {
      together.forEach(each -> each.done = true);
    }
  }

  private @Nullable Exception attempt(List<Waiting<?>> together) {
    boolean committed = false;
    try {
      Optional<Exception> bug =
          Bugs.<Optional<Exception>, SQLException>call(
              () -> {
                transactions.begin();
                for (Waiting<?> each : together) {
                  each.run();
                }
                transactions.commit();
                return Optional.empty();
              },
              thrown -> Optional.of(asException(thrown)));
      committed = bug.isEmpty();
      return bug.orElse(null);
    } catch (SQLException failed) {
      return failed;
    } finally {
      if (!committed) {
        transactions.rollback();
      }
    }
  }

  private static Exception asException(Throwable bug) {
    return bug instanceof RuntimeException known ? known : new IllegalStateException(bug);
  }
}
