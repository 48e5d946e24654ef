package dev.drydock.health.store.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.drydock.health.store.DatabaseRetries;
import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Waits for changes in one stream, for all feeds. While there is none, events are not taken: only a
 * new one shows that the database is as it should be.
 */
final class MongoWatcher implements AutoCloseable {
  private static final Duration WAITED = MongoStore.LONG.dividedBy(4);

  private final MongoStore store;
  private final TimeSource time;
  private final Function<MongoException, String> explain;
  private final DatabaseRetries retries;
  private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> stream;

  /**
   * @param explain a failure, for people
   */
  MongoWatcher(MongoStore store, TimeSource time, Function<MongoException, String> explain) {
    this.store = store;
    this.time = time;
    this.explain = explain;
    retries = new DatabaseRetries(time);
  }

  void start() {
    time.execute(this::watch);
  }

  /** Why there is no stream, if so. */
  Optional<String> problem() {
    return retries.problem();
  }

  private void watch() {
    guarded(
        () -> {
          store.checkIndex();
          stream = store.waitingWatch();
          var _ = stream.tryNext();
          retries.answers();
          follow();
        });
  }

  private void guarded(Runnable work) {
    try {
      if (!isClosed()) {
        work.run();
      }
    } catch (MongoException lost) {
      retries.failed(explain.apply(lost), this::watch);
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

  private boolean isClosed() {
    return retries.isClosed();
  }

  @Override
  public void close() {
    retries.close();
  }
}
