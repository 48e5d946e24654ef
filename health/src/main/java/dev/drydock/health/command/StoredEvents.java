package dev.drydock.health.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Stored events for commands: from the folder of an embedded store, or from a file. */
final class StoredEvents {
  private static final ObjectMapper LINES = new ObjectMapper();

  private StoredEvents() {}

  /** As {@code drydock events -o json} prints it, on one line. */
  static ObjectNode json(StoredEvent event) {
    ObjectNode object = Json.object();
    object.put("id", event.id()).put("createdAt", event.createdAt().toString());
    object.set("healthevent", EventJson.json(event.event()));
    object.set("healtheventstatus", EventJson.json(event.status()));
    object.put("episode", event.episode());
    return object;
  }

  /**
   * All of them in order.
   *
   * @param source a folder of an embedded store, or a file with one JSON object per line
   */
  static void read(Path source, Consumer<StoredEvent> events) {
    if (!Files.exists(source)) {
      throw new CommandFailure(
          source + ": no such file; --from takes the folder of a store, or a file of events");
    }
    if (Files.isDirectory(source)) {
      try (EventStore store = EmbeddedStore.open(source, TimeSource.REAL)) {
        page(store, EventQuery.ALL, events);
      }
    } else {
      readLines(source, events);
    }
  }

  static void page(EventStore store, EventQuery query, Consumer<StoredEvent> events) {
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty()) {
      page.forEach(events);
      page =
          page.size() < query.limit() ? List.of() : store.query(query.after(page.getLast()));
    }
  }

  private static void readLines(Path file, Consumer<StoredEvent> events) {
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String line = lines.readLine();
      while (line != null) {
        number++;
        if (!line.isBlank()) {
          events.accept(event(LINES.readTree(line), number));
        }
        line = lines.readLine();
      }
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException malformed) {
      throw new CommandFailure(
          "%s, line %d: not an event: %s"
              .formatted(
                  file,
                  number,
                  String.valueOf(malformed.getMessage()).lines().findFirst().orElse("")),
          malformed);
    } catch (IOException unreadable) {
      throw new CommandFailure(
          "%s cannot be read: %s".formatted(file, unreadable.getMessage()), unreadable);
    }
  }

  /** Either a stored event, or an event alone, which then has to say when it was generated. */
  private static StoredEvent event(JsonNode line, int number) {
    boolean stored = line.has("healthevent");
    var event = EventJson.event(stored ? line.path("healthevent") : line);
    String id = stored ? line.path("id").asText("") : "line-" + number;
    Instant generated = event.generatedTimestamp();
    Instant created =
        stored
            ? Fields.time(line, "createdAt")
            : generated == null ? Instant.EPOCH : generated;
    return new StoredEvent(
        id,
        created,
        event.toBuilder().id(id).build(),
        EventJson.status(line.path("healtheventstatus")),
        line.path("episode").asText(""));
  }
}
