package dev.drydock.health.store.mongodb;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;

import com.mongodb.client.model.Sorts;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/** Queries of events, as MongoDB takes them. */
final class MongoQuery {
  private MongoQuery() {}

  static Bson filter(EventQuery query) {
    List<Bson> filters = new ArrayList<>();
    query.node().ifPresent(node -> filters.add(eq(MongoDocuments.NODE, node)));
    if (!query.nodeQuarantined().isEmpty()) {
      List<BsonValue> words = new ArrayList<>();
      for (String word : query.nodeQuarantined()) {
        words.add(new BsonString(word));
        if (word.isEmpty()) {
          words.add(BsonNull.VALUE); // missing, too
        }
      }
      filters.add(in(MongoDocuments.STATE, words));
    }
    query
        .since()
        .ifPresent(
            since ->
                filters.add(gte(StatusDocument.CREATED, new BsonDateTime(since.toEpochMilli()))));
    query.after().ifPresent(after -> filters.add(after(after, query.newestFirst())));
    return filters.isEmpty() ? new BsonDocument() : and(filters);
  }

  static Bson order(EventQuery query) {
    return query.newestFirst()
        ? Sorts.descending(StatusDocument.CREATED, MongoDocuments.ID)
        : Sorts.ascending(StatusDocument.CREATED, MongoDocuments.ID);
  }

  private static Bson after(StoredEvent event, boolean newestFirst) {
    BsonDateTime created = new BsonDateTime(event.createdAt().toEpochMilli());
    ObjectId id = MongoDocuments.id(event.id()).orElseGet(() -> new ObjectId(new byte[12]));
    return newestFirst
        ? or(
            lt(StatusDocument.CREATED, created),
            and(eq(StatusDocument.CREATED, created), lt(MongoDocuments.ID, id)))
        : or(
            gt(StatusDocument.CREATED, created),
            and(eq(StatusDocument.CREATED, created), gt(MongoDocuments.ID, id)));
  }
}
