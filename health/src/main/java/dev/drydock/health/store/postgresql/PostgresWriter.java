package dev.drydock.health.store.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StatusUpdateJson;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What is written. Every call is one transaction. */
final class PostgresWriter {
  static final int NODE_LENGTH = 255;
  private static final int TYPE_LENGTH = 100;
  private static final int WORD_LENGTH = 50;

  /** Ours in a document: the update that was written last, so that the change log has it. */
  static final String OURS = "drydock";

  private static final String KEY = "document #>> '{healthevent,metadata,idempotencyKey}'";

  private static final String INSERT =
      """
      insert into health_events (id, node_name, event_type, severity, recommended_action,
          user_pods_eviction_status, document, created_at, updated_at)
        select id, node, type, severity, action, null, document::jsonb, created, created
        from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::timestamptz[])
          with ordinality as e (id, node, type, severity, action, document, created, place)
        order by place
        on conflict ((%1$s)) where (%1$s) is not null do nothing
        returning id
      """
          .formatted(KEY);

  private static final String BY_KEY =
      "select id, %1$s as key from health_events where (%1$s) = any(?) and (%1$s) is not null"
          .formatted(KEY);

  private static final String UPDATE =
      """
      update health_events set document = ?::jsonb, node_quarantined = ?, quarantine_finish_timestamp = ?,
          user_pods_eviction_status = ?, user_pods_eviction_message = ?, drain_finish_timestamp = ?,
          fault_remediated = ?, last_remediation_timestamp = ?, updated_at = now()
        where id = ?
      """;

  private final Clock clock;
  private final AtomicLong created;

  /**
   * @param newest when the newest event was created, in microseconds: later ones come after it,
   *     also if the clock was set back
   */
  PostgresWriter(Clock clock, long newest) {
    this.clock = clock;
    created = new AtomicLong(newest);
  }

  private long nextCreated() {
    long now = PostgresRows.micros(clock.instant());
    return created.updateAndGet(last -> Math.max(last + 1, now));
  }

  Appended append(Connection connection, List<HealthEvent> events) throws SQLException {
    UUID[] ids = new UUID[events.size()];
    String[][] texts = new String[5][events.size()];
    OffsetDateTime[] times = new OffsetDateTime[events.size()];
    @Nullable String[] keys = new @Nullable String[events.size()];
    for (int i = 0; i < ids.length; i++) {
      HealthEvent event = events.get(i);
      long micros = nextCreated();
      ids[i] = PostgresRows.newId(micros);
      times[i] = PostgresRows.time(micros);
      texts[0][i] = PostgresRows.fitting(event.nodeName(), NODE_LENGTH);
      texts[1][i] = PostgresRows.fitting(event.checkName(), TYPE_LENGTH);
      texts[2][i] = PostgresRows.fitting(event.componentClass(), WORD_LENGTH);
      texts[3][i] = PostgresRows.fitting(event.recommendedAction().name(), TYPE_LENGTH);
      ObjectNode document = StatusDocument.of(event);
      document.put(StatusDocument.CREATED, times[i].toInstant().toString());
      texts[4][i] = PostgresRows.text(document);
      keys[i] = event.metadata().get(HealthNames.IDEMPOTENCY_KEY);
    }
    Set<UUID> stored = insert(connection, ids, texts, times);
    return stored.size() == ids.length
        ? new Appended(List.of(ids).stream().map(UUID::toString).toList(), 0)
        : appended(connection, ids, keys, stored);
  }

  private static Set<UUID> insert(
      Connection connection, UUID[] ids, String[][] texts, OffsetDateTime[] times)
      throws SQLException {
    Set<UUID> stored = new HashSet<>();
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      int parameter = 1;
      insert.setArray(parameter++, connection.createArrayOf("uuid", ids));
      for (String[] column : texts) {
        insert.setArray(parameter++, connection.createArrayOf("text", column));
      }
      String[] written = new String[times.length];
      for (int i = 0; i < times.length; i++) {
        written[i] = times[i].toString();
      }
      insert.setArray(parameter, connection.createArrayOf("text", written));
      try (ResultSet row = insert.executeQuery()) {
        while (row.next()) {
          stored.add(row.getObject(1, UUID.class));
        }
      }
    }
    return stored;
  }

  /** Those that were not stored were there already, by their keys. */
  private static Appended appended(
      Connection connection, UUID[] ids, @Nullable String[] keys, Set<UUID> stored)
      throws SQLException {
    Set<String> wanted = new HashSet<>();
    for (int i = 0; i < ids.length; i++) {
      String key = keys[i];
      if (key != null && !stored.contains(ids[i])) {
        wanted.add(key);
      }
    }
    Map<String, String> byKey = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(BY_KEY)) {
      select.setArray(1, connection.createArrayOf("text", wanted.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          byKey.put(row.getString("key"), row.getString("id"));
        }
      }
    }
    List<String> all = new ArrayList<>(ids.length);
    for (int i = 0; i < ids.length; i++) {
      String known = stored.contains(ids[i]) ? ids[i].toString() : byKey.get(keys[i]);
      if (known == null) {
        throw new SQLException("an event was removed while it came again", "40001");
      }
      all.add(known);
    }
    return new Appended(all, ids.length - stored.size());
  }

  static int update(Connection connection, List<EventUpdate> updates) throws SQLException {
    Map<UUID, ObjectNode> documents = lock(connection, updates);
    int found = 0;
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      for (EventUpdate each : updates) {
        Optional<UUID> id = PostgresRows.id(each.id());
        ObjectNode document = id.map(documents::get).orElse(null);
        if (document != null) {
          found++;
          StatusDocument.apply(each.update(), document);
          remember(document, each);
          set(update, document);
          update.setObject(9, id.get());
          update.addBatch();
        }
      }
      if (found > 0) {
        var _ = update.executeBatch();
      }
    }
    return found;
  }

  /** In one order, so that two callers do not wait for each other. */
  private static Map<UUID, ObjectNode> lock(Connection connection, List<EventUpdate> updates)
      throws SQLException {
    Map<UUID, ObjectNode> documents = new LinkedHashMap<>();
    Object[] ids =
        updates.stream()
            .map(each -> PostgresRows.id(each.id()))
            .flatMap(Optional::stream)
            .distinct()
            .toArray();
    try (PreparedStatement select =
        connection.prepareStatement(
            "select id, document from health_events where id = any(?) order by id for update")) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          if (PostgresRows.json(row.getString("document")) instanceof ObjectNode document) {
            documents.put(row.getObject("id", UUID.class), document);
          }
        }
      }
    }
    return documents;
  }

  /** Numbered, so that the same update twice is two changes. */
  private static void remember(ObjectNode document, EventUpdate each) throws SQLException {
    long number = document.path(OURS).path("number").asLong() + 1;
    ObjectNode ours = document.putObject(OURS);
    ours.put("number", number);
    ours.set("update", PostgresRows.json(StatusUpdateJson.write(each.update())));
  }

  /** The columns say the same as the document. */
  private static void set(PreparedStatement update, ObjectNode document) throws SQLException {
    JsonNode json = document.path(StatusDocument.STATUS);
    HealthEventStatus status = EventJson.status(json);
    OperationStatus eviction = status.userPodsEvictionStatus();
    update.setString(1, PostgresRows.text(document));
    update.setString(2, word(status.nodeQuarantined()));
    setTime(update, 3, status.quarantineFinishTimestamp());
    update.setString(4, word(eviction.status()));
    update.setString(5, PostgresRows.fitting(eviction.message(), Integer.MAX_VALUE));
    setTime(update, 6, status.drainFinishTimestamp());
    Boolean remediated = status.faultRemediated();
    if (remediated == null) {
      update.setNull(7, Types.BOOLEAN);
    } else {
      update.setBoolean(7, remediated);
    }
    setTime(update, 8, status.lastRemediationTimestamp());
  }

  private static @Nullable String word(String text) {
    return text.isEmpty() ? null : PostgresRows.fitting(text, WORD_LENGTH);
  }

  private static void setTime(PreparedStatement update, int parameter, @Nullable Instant time)
      throws SQLException {
    update.setObject(parameter, time == null ? null : PostgresRows.time(time));
  }

  /** Removes some old events. */
  static int expire(Connection connection, Instant before, int most) throws SQLException {
    List<UUID> removed = new ArrayList<>();
    try (PreparedStatement delete =
        connection.prepareStatement(
            "delete from health_events where id in (select id from health_events"
                + " where created_at < ? order by created_at, id limit ?) returning id")) {
      delete.setObject(1, PostgresRows.time(before));
      delete.setInt(2, most);
      try (ResultSet row = delete.executeQuery()) {
        while (row.next()) {
          removed.add(row.getObject(1, UUID.class));
        }
      }
    }
    if (!removed.isEmpty()) {
      // their removal needs not be told: nobody missed anything
      try (PreparedStatement delete =
          connection.prepareStatement(
              "delete from datastore_changelog where table_name = 'health_events'"
                  + " and record_id = any(?) and operation = 'DELETE'")) {
        delete.setArray(1, connection.createArrayOf("uuid", removed.toArray()));
        delete.executeUpdate();
      }
    }
    return removed.size();
  }

  /**
   * Removes some rows of the change log that tell of events that are gone.
   *
   * @param kept positions at which feeds of this process are; those that are saved are kept, too
   */
  static int forgetChanges(Connection connection, Instant before, Collection<Long> kept, int most)
      throws SQLException {
    Array positions = connection.createArrayOf("bigint", kept.toArray());
    try (PreparedStatement delete =
        connection.prepareStatement(
            "delete from datastore_changelog where id in (select id from datastore_changelog"
                + " where changed_at < ? and table_name = 'health_events' and id <> all(?)"
                + " and id <> all(array(select (resume_token ->> 'eventID')::bigint"
                + " from resume_tokens where resume_token ->> 'eventID' ~ '^[0-9]+$'))"
                + " order by changed_at limit ?)")) {
      delete.setObject(1, PostgresRows.time(before));
      delete.setArray(2, positions);
      delete.setInt(3, most);
      return delete.executeUpdate();
    } finally {
      positions.free();
    }
  }

  static void save(Connection connection, String consumer, String json) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into resume_tokens (client_name, resume_token, last_updated)"
                + " values (?, ?::jsonb, now()) on conflict (client_name)"
                + " do update set resume_token = excluded.resume_token, last_updated = now()")) {
      insert.setString(1, consumer);
      insert.setString(2, json);
      insert.executeUpdate();
    }
  }

  static void forget(Connection connection, String consumer) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("delete from resume_tokens where client_name = ?")) {
      delete.setString(1, consumer);
      delete.executeUpdate();
    }
  }

  static long newest(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "select created_at from health_events where created_at is not null"
                + " order by created_at desc, id desc limit 1")) {
      return row.next() ? PostgresRows.micros(PostgresRows.instant(row, "created_at")) : 0;
    }
  }
}
