package dev.drydock.health.store.mongodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StatusField;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StatusUpdateJson;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Events and updates as documents. */
final class MongoDocuments {
  static final String ID = "_id";

  static final String KEY = StatusDocument.EVENT + ".metadata." + HealthNames.IDEMPOTENCY_KEY;
  static final String NODE = StatusDocument.EVENT + ".nodename";
  static final String STATE =
      StatusDocument.STATUS + "." + StatusField.NODE_QUARANTINED.documentPath();

  /**
   * Ours in a document: the update that was written last. So a change tells all of an update, also
   * fields that had the value before, which the server leaves out.
   */
  static final String OURS = "drydock";

  private static final String UPDATE = "update";
  private static final String STATUS = StatusDocument.STATUS + ".";
  private static final String SPANS = StatusField.SPAN_IDS.documentPath() + ".";

  private MongoDocuments() {}

  /** Empty for what is no id of this store. */
  static Optional<ObjectId> id(String text) {
    return ObjectId.isValid(text) ? Optional.of(new ObjectId(text)) : Optional.empty();
  }

  /** In the order of their times, to the microsecond; the driver's own are not. */
  static ObjectId newId(long micros) {
    long seconds = TimeUnit.MICROSECONDS.toSeconds(micros);
    int rest = (int) (micros - TimeUnit.SECONDS.toMicros(seconds));
    byte[] random = new byte[Byte.SIZE];
    ThreadLocalRandom.current().nextBytes(random);
    return new ObjectId(
        ByteBuffer.allocate(12)
            .putInt((int) seconds)
            .put((byte) (rest >>> 16))
            .put((byte) (rest >>> 8))
            .put((byte) rest)
            .put(random, 0, 5)
            .flip());
  }

  static StoredEvent read(BsonDocument document) {
    BsonValue created = document.get(StatusDocument.CREATED, BsonNull.VALUE);
    BsonValue id = document.get(ID, BsonNull.VALUE);
    return StatusDocument.read(
        id.isObjectId() ? id.asObjectId().getValue().toHexString() : String.valueOf(id),
        created.isDateTime()
            ? Instant.ofEpochMilli(created.asDateTime().getValue())
            : Instant.EPOCH,
        json(document));
  }

  static BsonDocument bson(ObjectNode object) {
    BsonDocument document = new BsonDocument();
    object
        .properties()
        .forEach(
            // names are the only texts that cannot have a zero character
            entry -> document.put(entry.getKey().replace('\0', '\ufffd'), bson(entry.getValue())));
    return document;
  }

  static BsonValue bson(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> bson(object);
      case ArrayNode list -> {
        BsonArray array = new BsonArray();
        list.forEach(each -> array.add(bson(each)));
        yield array;
      }
      case TextNode text -> new BsonString(text.textValue());
      case BooleanNode flag -> BsonBoolean.valueOf(flag.booleanValue());
      case LongNode number -> new BsonInt64(number.longValue());
      case JsonNode number when number.isInt() -> new BsonInt32(number.intValue());
      case JsonNode number when number.isNumber() -> new BsonDouble(number.doubleValue());
      default -> BsonNull.VALUE;
    };
  }

  static JsonNode json(BsonValue value) {
    return switch (value) {
      case BsonDocument document -> {
        ObjectNode object = Json.object();
        document.forEach((name, each) -> object.set(name, json(each)));
        yield object;
      }
      case BsonArray array -> {
        ArrayNode list = Json.array();
        array.forEach(each -> list.add(json(each)));
        yield list;
      }
      case BsonString text -> TextNode.valueOf(text.getValue());
      case BsonBoolean flag -> BooleanNode.valueOf(flag.getValue());
      case BsonInt32 number -> LongNode.valueOf(number.getValue());
      case BsonInt64 number -> LongNode.valueOf(number.getValue());
      case BsonDouble number -> DoubleNode.valueOf(number.getValue());
      case BsonDateTime time -> TextNode.valueOf(Instant.ofEpochMilli(time.getValue()).toString());
      case BsonObjectId id -> TextNode.valueOf(id.getValue().toHexString());
      default -> NullNode.getInstance();
    };
  }

  /** What sets the fields of an update: a part as a part, the whole as the whole. */
  static BsonDocument set(StatusUpdate update) {
    BsonDocument set = new BsonDocument();
    StatusDocument.assignments(withoutOverlap(update))
        .forEach((path, value) -> set.put(STATUS + path, bson(value)));
    set.put(
        OURS,
        new BsonDocument(ID, new BsonObjectId())
            .append(UPDATE, new BsonString(StatusUpdateJson.write(update))));
    return new BsonDocument("$set", set);
  }

  /** The server refuses the whole and its parts in one update. */
  private static StatusUpdate withoutOverlap(StatusUpdate update) {
    if (!(update.values().get(StatusField.USER_PODS_EVICTION_STATUS)
        instanceof OperationStatus whole)) {
      return update;
    }
    Map<StatusField, Object> values = new LinkedHashMap<>(update.values());
    values.put(
        StatusField.USER_PODS_EVICTION_STATUS,
        new OperationStatus(
            update.text(StatusField.USER_PODS_EVICTION_STATUS_STATUS).orElse(whole.status()),
            update.text(StatusField.USER_PODS_EVICTION_STATUS_MESSAGE).orElse(whole.message())));
    values.remove(StatusField.USER_PODS_EVICTION_STATUS_STATUS);
    values.remove(StatusField.USER_PODS_EVICTION_STATUS_MESSAGE);
    return new StatusUpdate(values, update.spanIds());
  }

  /** The update that somebody wrote, from the fields that the server says were changed. */
  static StatusUpdate update(BsonDocument updated) {
    if (updated.get(OURS) instanceof BsonDocument ours) {
      return ours(ours);
    }
    ObjectNode status = Json.object();
    StatusUpdate update = StatusUpdate.NONE;
    for (Map.Entry<String, BsonValue> entry : updated.entrySet()) {
      if (!entry.getKey().startsWith(STATUS)) {
        continue;
      }
      String path = entry.getKey().substring(STATUS.length());
      if (path.startsWith(SPANS) && entry.getValue().isString()) {
        update =
            update.spanId(path.substring(SPANS.length()), entry.getValue().asString().getValue());
      } else {
        status.set(path, json(entry.getValue()));
      }
    }
    return fields(update, status);
  }

  private static StatusUpdate fields(StatusUpdate spans, ObjectNode status) {
    StatusUpdate update = spans;
    for (Map.Entry<String, JsonNode> entry : status.properties()) {
      Optional<StatusField> field = StatusField.find(entry.getKey());
      if (field.isPresent() && !entry.getValue().isNull()) {
        var one = EventJson.status(Json.object().set(entry.getKey(), entry.getValue()));
        Object value =
            switch (field.get()) {
              case NODE_QUARANTINED -> one.nodeQuarantined();
              case QUARANTINE_FINISH_TIMESTAMP -> one.quarantineFinishTimestamp();
              case USER_PODS_EVICTION_STATUS -> one.userPodsEvictionStatus();
              case DRAIN_FINISH_TIMESTAMP -> one.drainFinishTimestamp();
              case FAULT_REMEDIATED -> one.faultRemediated();
              case LAST_REMEDIATION_TIMESTAMP -> one.lastRemediationTimestamp();
              case USER_PODS_EVICTION_STATUS_STATUS, USER_PODS_EVICTION_STATUS_MESSAGE, EPISODE ->
                  entry.getValue().asText("");
              case SPAN_IDS -> null;
            };
        if (value != null) {
          update = update.with(field.get(), value);
        }
      }
    }
    return update;
  }

  /** The update that was written last, for a server that does not say what was changed. */
  static StatusUpdate lastUpdate(BsonDocument document) {
    return document.get(OURS) instanceof BsonDocument ours ? ours(ours) : StatusUpdate.NONE;
  }

  private static StatusUpdate ours(BsonDocument ours) {
    try {
      return StatusUpdateJson.read(ours.getString(UPDATE, new BsonString("{}")).getValue());
    } catch (IOException damaged) {
      throw new IllegalStateException("a text that was written as JSON is none", damaged);
    }
  }
}
