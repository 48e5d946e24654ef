package dev.drydock.health.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Stored events for commands: from the folder of an embedded store, or from a file. */
final class StoredEvents {
  /** That of the operator, as eventStore.folder. */
  static final String DEFAULT = "/var/lib/drydock/health";

  private static final ObjectMapper OBJECTS = new ObjectMapper();

  private StoredEvents() {}

  /** As {@code drydock events -o json} prints it. */
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
   * @param source a folder of an embedded store, or a file of JSON objects
   */
  static void read(Path source, Consumer<StoredEvent> events) {
    if (!Files.exists(source) || (Files.isDirectory(source) && !EmbeddedStore.existsIn(source))) {
      throw CommandFailure.usage(
          "%s: no events there; name the folder of an embedded store or a file with --from, or run this where the operator runs"
              .formatted(source));
    }
    if (Files.isDirectory(source)) {
      try (EventStore store = EmbeddedStore.open(source, TimeSource.REAL)) {
        page(store, EventQuery.ALL, events);
      } catch (StoreUnavailable failed) {
        throw new CommandFailure(failed.getMessage(), failed);
      }
    } else {
      readObjects(source, events);
    }
  }

  private static void page(EventStore store, EventQuery query, Consumer<StoredEvent> events) {
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty()) {
      page.forEach(events);
      page = page.size() < query.limit() ? List.of() : store.query(query.after(page.getLast()));
    }
  }

  /** Objects one after another, or an array of them. */
  private static void readObjects(Path file, Consumer<StoredEvent> events) {
    int number = 0;
    int line = 1;
    try (MappingIterator<JsonNode> objects =
        OBJECTS.readerFor(JsonNode.class).readValues(file.toFile())) {
      while (objects.hasNextValue()) {
        number++;
        JsonNode object = objects.nextValue();
        line = objects.getParser().currentLocation().getLineNr();
        events.accept(event(object, number));
      }
    } catch (JsonProcessingException malformed) {
      throw notAnEvent(file, malformed.getLocation().getLineNr(), malformed.getOriginalMessage());
    } catch (IllegalArgumentException | DateTimeException malformed) {
      throw notAnEvent(file, line, String.valueOf(malformed.getMessage()));
    } catch (IOException unreadable) {
      throw new CommandFailure(
          "%s cannot be read: %s".formatted(file, unreadable.getMessage()), unreadable);
    }
  }

  private static CommandFailure notAnEvent(Path file, int line, String why) {
    return new CommandFailure(
        "%s, line %d: not an event: %s".formatted(file, line, why.lines().findFirst().orElse("")));
  }

  /** Either a stored event, or an event alone, which then has to say when it was generated. */
  private static StoredEvent event(JsonNode object, int number) {
    boolean stored = object.has("healthevent");
    var event = EventJson.event(stored ? object.path("healthevent") : object);
    String id = stored ? object.path("id").asText("") : "event-" + number;
    Instant generated = event.generatedTimestamp();
    Instant created =
        stored ? Fields.time(object, "createdAt") : generated == null ? Instant.EPOCH : generated;
    return new StoredEvent(
        id,
        created,
        event.toBuilder().id(id).build(),
        EventJson.status(object.path("healtheventstatus")),
        object.path("episode").asText(""));
  }
}
