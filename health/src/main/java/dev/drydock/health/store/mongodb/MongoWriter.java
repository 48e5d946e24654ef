package dev.drydock.health.store.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.kube.time.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;

/** Stores and updates events, each once. Thread-safe. */
final class MongoWriter {
  private static final int MOST_AGAIN = 5;

  private final MongoCollection<BsonDocument> events;
  private final TimeSource time;

  /** When the newest event was stored, in microseconds: each is newer than the one before. */
  private final AtomicLong created = new AtomicLong();

  MongoWriter(MongoCollection<BsonDocument> events, TimeSource time) {
    this.events = events;
    this.time = time;
  }

  /** Makes all further events newer than those that are stored. */
  void prepare() {
    BsonDocument newest =
        events.find().sort(Sorts.descending(StatusDocument.CREATED, MongoDocuments.ID)).first();
    if (newest != null) {
      created.set(micros(MongoDocuments.read(newest).createdAt()) + 999);
    }
  }

  Appended append(List<HealthEvent> batch) {
    Optional<Appended> appended = appendFresh(batch);
    // somebody else stored one of them meanwhile, so now it is known
    for (int again = 0; appended.isEmpty() && again < MOST_AGAIN; again++) {
      appended = appendFresh(batch);
    }
    return appended.orElseThrow(
        () ->
            new MongoException(
                "events are taken for known that are not there; see " + MongoIndexes.UNIQUE));
  }

  /** Empty if somebody else stored one of them at the same time. */
  private Optional<Appended> appendFresh(List<HealthEvent> batch) {
    Map<String, ObjectId> known = known(batch);
    List<BsonDocument> fresh = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (HealthEvent event : batch) {
      String key = event.metadata().get(HealthNames.IDEMPOTENCY_KEY);
      ObjectId id = key == null ? null : known.get(key);
      if (id == null) {
        id = MongoDocuments.newId(nextCreated());
        fresh.add(document(event, id));
        if (key != null) {
          known.put(key, id);
        }
      }
      ids.add(id.toHexString());
    }
    return fresh.isEmpty() || insert(fresh)
        ? Optional.of(new Appended(ids, batch.size() - fresh.size()))
        : Optional.empty();
  }

  private long nextCreated() {
    long now = micros(time.now());
    return created.updateAndGet(last -> Math.max(last + 1, now));
  }

  private static BsonDocument document(HealthEvent event, ObjectId id) {
    BsonDocument document = new BsonDocument(MongoDocuments.ID, new BsonObjectId(id));
    long seconds = Integer.toUnsignedLong(id.getTimestamp());
    byte[] bytes = id.toByteArray();
    int rest = (bytes[4] & 0xff) << 16 | (bytes[5] & 0xff) << 8 | (bytes[6] & 0xff);
    document.put(
        StatusDocument.CREATED,
        new BsonDateTime(
            TimeUnit.SECONDS.toMillis(seconds) + TimeUnit.MICROSECONDS.toMillis(rest)));
    document.putAll(MongoDocuments.bson(StatusDocument.of(event)));
    return document;
  }

  /** The ids of those of the batch that are stored already, by their keys. */
  private Map<String, ObjectId> known(List<HealthEvent> batch) {
    List<String> keys =
        batch.stream()
            .flatMap(
                event ->
                    Optional.ofNullable(event.metadata().get(HealthNames.IDEMPOTENCY_KEY)).stream())
            .toList();
    Map<String, ObjectId> known = new HashMap<>();
    if (!keys.isEmpty()) {
      for (BsonDocument each :
          events
              .find(in(MongoDocuments.KEY, keys))
              .projection(Projections.include(MongoDocuments.KEY))) {
        known.put(
            each.getDocument(StatusDocument.EVENT)
                .getDocument("metadata")
                .getString(HealthNames.IDEMPOTENCY_KEY)
                .getValue(),
            each.getObjectId(MongoDocuments.ID).getValue());
      }
    }
    return known;
  }

  /** Stores them in order; false if somebody else stored one of them at the same time. */
  private boolean insert(List<BsonDocument> fresh) {
    try {
      var _ = events.insertMany(fresh);
      return true;
    } catch (MongoBulkWriteException failed) {
      if (failed.getWriteErrors().stream()
              .allMatch(error -> error.getCategory() == ErrorCategory.DUPLICATE_KEY)
          && failed.getWriteConcernError() == null) {
        return false;
      }
      throw failed;
    }
  }

  /** Returns how many of the events exist. */
  int update(List<EventUpdate> updates) {
    List<WriteModel<BsonDocument>> models = new ArrayList<>();
    for (EventUpdate each : updates) {
      MongoDocuments.id(each.id())
          .ifPresent(
              id ->
                  models.add(
                      new UpdateOneModel<>(
                          eq(MongoDocuments.ID, id), MongoDocuments.set(each.update()))));
    }
    return models.isEmpty()
        ? 0
        : events.bulkWrite(models, new BulkWriteOptions().ordered(true)).getMatchedCount();
  }

  private static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }
}
