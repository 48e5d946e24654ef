package dev.drydock.health.store.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StoreFeed;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * A store in the collections of NVSentinel's MongoDB provider. Its components may use them at the
 * same time.
 */
public final class MongoStore implements EventStore {
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /** How long a stream waits for a change that is not there yet. */
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  static final Duration LONG = Duration.ofSeconds(2);

  private final MongoConfig config;
  private final MongoClient client;
  private final MongoCollection<BsonDocument> events;
  private final MongoPositions positions;
  private final TimeSource time;
  private final MongoWatcher watcher;
  private final MongoWriter writer;
  private final Set<MongoChanges> feeds = ConcurrentHashMap.newKeySet();

  private MongoStore(MongoConfig config, MongoClient client, TimeSource time) {
    this.config = config;
    this.client = client;
    this.time = time;
    MongoDatabase database =
        client
            .getDatabase(config.database())
            .withWriteConcern(WriteConcern.MAJORITY.withJournal(true))
            .withReadConcern(ReadConcern.MAJORITY);
    events = database.getCollection(config.collection(), BsonDocument.class);
    writer = new MongoWriter(events, time);
    positions =
        new MongoPositions(database.getCollection(config.tokenCollection(), BsonDocument.class));
    watcher =
        new MongoWatcher(
            this, time, lost -> MongoFailure.of(config, "follow changes", lost).getMessage());
  }

  /**
   * Connects, and makes indexes that are missing.
   *
   * @throws StoreUnavailable with one line that says what to do
   */
  public static MongoStore open(MongoConfig config, TimeSource time) {
    return open(config, time, MongoStore::prepare);
  }

  /**
   * Connects to a collection that is there, and changes nothing.
   *
   * @throws StoreUnavailable with one line that says what to do
   */
  public static MongoStore openExisting(MongoConfig config, TimeSource time) {
    return open(config, time, MongoStore::checkIndex);
  }

  private static MongoStore open(
      MongoConfig config, TimeSource time, Consumer<MongoStore> preparation) {
    MongoStore store = new MongoStore(config, MongoClients.create(settings(config)), time);
    boolean ready = false;
    try {
      store.run("open the event store", () -> preparation.accept(store));
      store.watcher.start();
      ready = true;
      return store;
    } finally {
      if (!ready) {
        store.close();
      }
    }
  }

  private static MongoClientSettings settings(MongoConfig config) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applicationName("drydock")
            .applyConnectionString(config.uri())
            .applyToClusterSettings(
                cluster -> cluster.serverSelectionTimeout(WAIT.toMillis(), TimeUnit.MILLISECONDS))
            .applyToSocketSettings(
                socket ->
                    socket
                        .connectTimeout(WAIT.toMillis(), TimeUnit.MILLISECONDS)
                        .readTimeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS))
            .applyToConnectionPoolSettings(
                pool ->
                    pool.maxSize(config.connections())
                        .maxWaitTime(WAIT.toMillis(), TimeUnit.MILLISECONDS));
    if (Boolean.TRUE.equals(config.uri().getSslEnabled())) {
      try {
        var context = config.tls().context();
        settings.applyToSslSettings(ssl -> ssl.context(context));
      } catch (IOException | GeneralSecurityException unusable) {
        throw new StoreMisconfigured(
            "the certificates for %s cannot be used: %s"
                .formatted(config.place(), unusable.getMessage()));
      }
    }
    return settings.build();
  }

  private void prepare() {
    MongoIndexes indexes = new MongoIndexes(events);
    indexes.create();
    indexes.check();
    writer.prepare();
    // fails where there are no change streams
    watchFromNow().close();
  }

  /** Fails if events could be stored twice. */
  void checkIndex() {
    new MongoIndexes(events).check();
  }

  <T> T call(String doing, Supplier<T> work) {
    try {
      return work.get();
    } catch (MongoException failed) {
      throw MongoFailure.of(config, doing, failed);
    }
  }

  void run(String doing, Runnable work) {
    var _ =
        call(
            doing,
            () -> {
              work.run();
              return true;
            });
  }

  @Override
  public Appended append(List<HealthEvent> batch) {
    Appended appended = call("store events", () -> writer.append(batch));
    wakeFeeds();
    return appended;
  }

  @Override
  public int update(List<EventUpdate> updates) {
    int found = call("update events", () -> writer.update(updates));
    wakeFeeds();
    return found;
  }

  @Override
  public Optional<StoredEvent> get(String id) {
    return MongoDocuments.id(id)
        .flatMap(
            key ->
                call(
                    "read an event",
                    () ->
                        Optional.ofNullable(events.find(eq(MongoDocuments.ID, key)).first())
                            .map(MongoDocuments::read)));
  }

  /** Reads documents as they are now, by their ids. */
  Map<BsonValue, BsonDocument> documents(List<BsonValue> ids) {
    Map<BsonValue, BsonDocument> documents = new HashMap<>();
    if (!ids.isEmpty()) {
      for (BsonDocument each : events.find(in(MongoDocuments.ID, ids))) {
        documents.put(each.get(MongoDocuments.ID), each);
      }
    }
    return documents;
  }

  @Override
  public List<StoredEvent> query(EventQuery query) {
    return call(
        "read events",
        () -> {
          List<StoredEvent> found = new ArrayList<>();
          events
              .find(MongoQuery.filter(query))
              .sort(MongoQuery.order(query))
              .limit(query.limit())
              .map(MongoDocuments::read)
              .into(found);
          return found;
        });
  }

  /**
   * A stream of changes that does not wait for any.
   *
   * @param after a resume token; an empty one for all that the server knows
   */
  MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> watch(BsonDocument after) {
    ChangeStreamIterable<BsonDocument> changes = changes(AT_ONCE);
    return (after.isEmpty()
            ? changes.startAtOperationTime(new BsonTimestamp(1, 0))
            : changes.resumeAfter(after))
        .cursor();
  }

  /** A stream of changes from now on, which does not wait for any. */
  MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> watchFromNow() {
    return changes(AT_ONCE).cursor();
  }

  /** A stream of changes from now on, which waits for some time for each. */
  MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> waitingWatch() {
    return changes(LONG).cursor();
  }

  private ChangeStreamIterable<BsonDocument> changes(Duration wait) {
    return events
        .watch(
            List.of(
                Aggregates.match(in("operationType", "insert", "update", "replace", "invalidate"))),
            BsonDocument.class)
        .fullDocument(FullDocument.UPDATE_LOOKUP)
        .maxAwaitTime(wait.toMillis(), TimeUnit.MILLISECONDS);
  }

  MongoPositions positions() {
    return positions;
  }

  @Override
  public ChangeFeed feed(String consumer, ChangeFilter filter, FeedStart start, Runnable wake) {
    MongoChanges changes = new MongoChanges(this, consumer, wake);
    ChangeFeed feed =
        new StoreFeed(new StoreFeed.Context(this, changes, time), consumer, filter, start, wake);
    feeds.add(changes);
    return feed;
  }

  void closed(MongoChanges changes) {
    feeds.remove(changes);
  }

  void wakeFeeds() {
    feeds.forEach(MongoChanges::wake);
  }

  @Override
  public void forget(String consumer) {
    run("remove a position", () -> positions.forget(consumer));
  }

  @Override
  public int expire(Instant before) {
    return call(
        "remove old events",
        () ->
            Math.toIntExact(
                events
                    .deleteMany(lt(StatusDocument.CREATED, new BsonDateTime(before.toEpochMilli())))
                    .getDeletedCount()));
  }

  @Override
  public long count() {
    return call("count events", events::estimatedDocumentCount);
  }

  @Override
  public void backup(Path file) {
    throw new UnsupportedOperationException("copy the database with mongodump");
  }

  @Override
  public Optional<String> unready() {
    return watcher.problem();
  }

  @Override
  public void close() {
    watcher.close();
    client.close();
  }
}
