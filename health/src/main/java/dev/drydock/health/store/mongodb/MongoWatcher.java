package dev.drydock.health.store.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for changes in one stream, for all feeds. While there is none, events are not taken: only a
 * new one shows that the database is as it should be.
 */
final class MongoWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MongoWatcher.class);

  private static final Duration WAITED = MongoStore.LONG.dividedBy(4);

  private final MongoStore store;
  private final TimeSource time;
  private final Function<MongoException, String> explain;
  private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> stream;
  private boolean closed;
  private int failures;
  private volatile Optional<String> problem = Optional.empty();

  /**
   * @param explain a failure, for people
   */
  MongoWatcher(MongoStore store, TimeSource time, Function<MongoException, String> explain) {
    this.store = store;
    this.time = time;
    this.explain = explain;
  }

  void start() {
    time.execute(this::watch);
  }

  /** Why there is no stream, if so. */
  Optional<String> problem() {
    return problem;
  }

  private void watch() {
    guarded(
        () -> {
          store.checkIndex();
          stream = store.waitingWatch();
          var _ = stream.tryNext();
          answers();
          follow();
        });
  }

  private void guarded(Runnable work) {
    try {
      if (!isClosed()) {
        work.run();
      }
    } catch (MongoException lost) {
      retry(lost);
    } catch (IllegalStateException closing) {
      // the client was closed while this waited; otherwise it is a bug
      if (!isClosed()) {
        throw closing;
      }
    }
  }

  private void follow() {
    var open = stream;
    while (open != null && !isClosed()) {
      store.wakeFeeds();
      Duration before = time.elapsed();
      boolean changed = open.tryNext() != null;
      if (!changed && time.elapsed().minus(before).compareTo(WAITED) < 0) {
        // a server that does not wait is asked again later
        var _ = time.schedule(MongoStore.LONG, () -> guarded(this::follow));
        return;
      }
    }
  }

  private void answers() {
    if (problem.isPresent()) {
      LOG.info("the event store answers again");
    }
    problem = Optional.empty();
    synchronized (this) {
      failures = 0;
    }
  }

  private void retry(MongoException lost) {
    int count;
    synchronized (this) {
      if (closed) {
        return;
      }
      failures++;
      count = failures;
    }
    String why = explain.apply(lost);
    if (!problem.equals(Optional.of(why))) {
      LOG.warn("{}; retrying", why);
    }
    problem = Optional.of(why);
    var _ = time.schedule(Backoff.DEFAULT.after(count), this::watch);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
