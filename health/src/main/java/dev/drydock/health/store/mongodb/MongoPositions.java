package dev.drydock.health.store.mongodb;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Positions of consumers, in the original's documents: {@code clientName} and {@code resumeToken}.
 */
final class MongoPositions {
  private static final String CLIENT = "clientName";
  private static final String TOKEN = "resumeToken";

  /** Ours beside the original's: a list under way, which ends with the resume token. */
  private static final String LIST = "drydockList";

  private final MongoCollection<BsonDocument> collection;

  MongoPositions(MongoCollection<BsonDocument> collection) {
    this.collection = collection;
  }

  Optional<String> load(String consumer) {
    BsonDocument found = collection.find(eq(CLIENT, consumer)).first();
    if (found == null || !(found.get(TOKEN) instanceof BsonDocument token)) {
      return Optional.empty();
    }
    BsonValue list = found.get(LIST);
    // whoever has moved the token since does not know of our list
    return list instanceof BsonString text && text.getValue().endsWith(" " + token.toJson())
        ? Optional.of(text.getValue())
        : Optional.of(token.toJson());
  }

  void save(String consumer, String token) {
    int start = token.indexOf('{');
    BsonDocument set =
        new BsonDocument(TOKEN, BsonDocument.parse(token.substring(Math.max(start, 0))));
    set.append(LIST, new BsonString(start > 0 ? token : ""));
    var _ =
        collection.updateOne(
            eq(CLIENT, consumer), new BsonDocument("$set", set), new UpdateOptions().upsert(true));
  }

  void forget(String consumer) {
    var _ = collection.deleteMany(eq(CLIENT, consumer));
  }
}
