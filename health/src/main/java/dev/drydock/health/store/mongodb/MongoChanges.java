package dev.drydock.health.store.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import com.mongodb.client.model.changestream.UpdateDescription;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;

/** The change stream for one consumer. Positions are the server's resume tokens, as JSON. */
final class MongoChanges implements FeedSource {
  /** Before the first change. A server that has forgotten it says so. */
  private static final String BEGINNING = "{}";

  private final MongoStore store;
  private final String consumer;
  private final Runnable wake;
  private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> stream;

  /** Where the stream goes on. */
  private String position = "";

  MongoChanges(MongoStore store, String consumer, Runnable wake) {
    this.store = store;
    this.consumer = consumer;
    this.wake = wake;
  }

  void wake() {
    wake.run();
  }

  @Override
  public Optional<String> load() {
    return store.call("read a position", () -> store.positions().load(consumer));
  }

  @Override
  public void save(String token) {
    store.run("save a position", () -> store.positions().save(consumer, token));
  }

  @Override
  public String now() {
    return store.call(
        "read the end of the change stream",
        () -> {
          close(stream);
          stream = null;
          try (var fresh = store.watchFromNow()) {
            var _ = fresh.tryNext();
            BsonDocument end = fresh.getResumeToken();
            return end == null ? lastToken() : end.toJson();
          }
        });
  }

  /** For servers that give no token at the end of a stream: that of the last change. */
  private String lastToken() {
    String last = BEGINNING;
    try (var all = store.watch(new BsonDocument())) {
      var next = all.tryNext();
      while (next != null) {
        last = next.getResumeToken().toJson();
        next = all.tryNext();
      }
    }
    return last;
  }

  @Override
  public List<Change> read(String after, int most) throws HistoryLost {
    Optional<List<Change>> changes = store.call("read changes", () -> changes(after, most));
    return changes.orElseThrow(
        () -> new HistoryLost("the change stream does not go back to the position of " + consumer));
  }

  /** Empty if the history is lost. */
  private Optional<List<Change>> changes(String after, int most) {
    boolean complete = false;
    try {
      List<ChangeStreamDocument<BsonDocument>> told = new ArrayList<>();
      var open = stream(after);
      ChangeStreamDocument<BsonDocument> next = open.tryNext();
      while (next != null) {
        if (next.getOperationType() == OperationType.INVALIDATE) {
          return Optional.empty();
        }
        told.add(next);
        next = told.size() < most ? open.tryNext() : null;
      }
      List<Change> changes = changes(told);
      // what is left out has tokens, too; they come again after a restart
      position = changes.isEmpty() ? after : changes.getLast().token();
      complete = true;
      return Optional.of(changes);
    } catch (JsonParseException noToken) {
      return Optional.empty();
    } catch (MongoException failed) {
      if (MongoFailure.isLost(failed)) {
        return Optional.empty();
      }
      throw failed;
    } finally {
      if (!complete) {
        close(stream);
        stream = null;
      }
    }
  }

  private MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> stream(String after) {
    var open = stream;
    if (open == null || !position.equals(after)) {
      close(open);
      open = store.watch(BsonDocument.parse(after));
      stream = open;
      position = after;
    }
    return open;
  }

  /**
   * With the events as they are now, as the server adds them to updates; those that are gone are
   * left out.
   */
  private List<Change> changes(List<ChangeStreamDocument<BsonDocument>> told) {
    Map<BsonValue, BsonDocument> inserted =
        store.documents(
            told.stream().filter(MongoChanges::isInsert).map(MongoChanges::id).toList());
    List<Change> changes = new ArrayList<>();
    for (ChangeStreamDocument<BsonDocument> each : told) {
      BsonDocument document = isInsert(each) ? inserted.get(id(each)) : each.getFullDocument();
      if (document != null && document.containsKey(MongoDocuments.ID)) {
        StoredEvent event = MongoDocuments.read(document);
        String token = each.getResumeToken().toJson();
        changes.add(
            isInsert(each)
                ? new Change(token, Change.Kind.INSERTED, event, StatusUpdate.NONE)
                : new Change(token, Change.Kind.UPDATED, event, update(each)));
      }
    }
    return changes;
  }

  private static boolean isInsert(ChangeStreamDocument<BsonDocument> change) {
    return change.getOperationType() == OperationType.INSERT;
  }

  private static BsonValue id(ChangeStreamDocument<BsonDocument> change) {
    BsonDocument key = change.getDocumentKey();
    return key == null ? BsonNull.VALUE : key.get(MongoDocuments.ID, BsonNull.VALUE);
  }

  private static StatusUpdate update(ChangeStreamDocument<BsonDocument> change) {
    UpdateDescription description = change.getUpdateDescription();
    BsonDocument updated = description == null ? null : description.getUpdatedFields();
    BsonDocument full = change.getFullDocument();
    if (updated != null) {
      return MongoDocuments.update(updated);
    }
    // a document that was replaced as a whole
    return full == null ? StatusUpdate.NONE : MongoDocuments.lastUpdate(full);
  }

  private static void close(
      @Nullable MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> stream) {
    if (stream != null) {
      stream.close();
    }
  }

  @Override
  public void close() {
    close(stream);
    stream = null;
    store.closed(this);
  }
}
