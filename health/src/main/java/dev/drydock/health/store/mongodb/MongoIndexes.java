package dev.drydock.health.store.mongodb;

import static com.mongodb.client.model.Filters.exists;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.drydock.health.store.StatusDocument;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** The indexes of the collection of events. */
record MongoIndexes(MongoCollection<BsonDocument> events) {
  /** Without it an event could be stored twice. */
  static final String UNIQUE = "healthevent_idempotency_key_unique";

  /** Makes those that are missing. */
  void create() {
    if (!hasUnique()) {
      var _ =
          events.createIndex(
              Indexes.ascending(MongoDocuments.KEY),
              new IndexOptions()
                  .name(UNIQUE)
                  .unique(true)
                  .partialFilterExpression(exists(MongoDocuments.KEY)));
    }
    for (Bson keys :
        List.of(
            Indexes.ascending(StatusDocument.CREATED, MongoDocuments.ID),
            Indexes.ascending(MongoDocuments.NODE, StatusDocument.CREATED, MongoDocuments.ID),
            Indexes.ascending(MongoDocuments.STATE, StatusDocument.CREATED, MongoDocuments.ID))) {
      var _ = events.createIndex(keys);
    }
  }

  private boolean hasUnique() {
    for (BsonDocument index : events.listIndexes(BsonDocument.class)) {
      if (index.getString("name", new BsonString("")).getValue().equals(UNIQUE)) {
        return true;
      }
    }
    return false;
  }

  /** Fails if events could be stored twice. */
  void check() {
    if (!hasUnique()) {
      throw new MongoException(
          "there is no index %s in %s: restart Drydock, which creates it"
              .formatted(UNIQUE, events.getNamespace()));
    }
  }
}
