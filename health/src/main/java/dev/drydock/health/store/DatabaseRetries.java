package dev.drydock.health.store;

import dev.drydock.kube.Backoff;
import dev.drydock.kube.time.TimeSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a database answers, and when it is tried again after a failure. Thread-safe. */
public final class DatabaseRetries {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseRetries.class);

  private final TimeSource time;
  private boolean closed;
  private int failures;
  private volatile Optional<String> problem = Optional.empty();

  public DatabaseRetries(TimeSource time) {
    this.time = time;
  }

  /** Why it does not answer, if so. */
  public Optional<String> problem() {
    return problem;
  }

  public void answers() {
    if (problem.isPresent()) {
      LOG.info("the event store answers again");
    }
    problem = Optional.empty();
    synchronized (this) {
      failures = 0;
    }
  }

  /**
   * Tries again later, each time later than before, unless it is closed.
   *
   * @param why for people
   */
  public void failed(String why, Runnable again) {
    int count;
    synchronized (this) {
      if (closed) {
        return;
      }
      failures++;
      count = failures;
    }
    if (!problem.equals(Optional.of(why))) {
      LOG.warn("{}; retrying", why);
    }
    problem = Optional.of(why);
    var _ = time.schedule(Backoff.DEFAULT.after(count), again);
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  public synchronized void close() {
    closed = true;
  }
}
