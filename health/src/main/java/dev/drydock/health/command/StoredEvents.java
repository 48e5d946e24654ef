package dev.drydock.health.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.FirstLine;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.eventlog.StoredEventJson;
import dev.drydock.health.operator.EventStores;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stored events for commands: from the folder of an embedded store, from a file, or from the
 * database that the original's variables name.
 */
final class StoredEvents {
  /** That of the operator, as eventStore.folder. */
  static final String DEFAULT = HealthSettings.DEFAULT_FOLDER;

  private static final ObjectMapper OBJECTS = new ObjectMapper();

  private StoredEvents() {}

  /**
   * All of them in order.
   *
   * @param source a folder of an embedded store, a file of JSON objects, or the word {@code
   *     postgresql} or {@code mongodb}
   */
  static void read(Path source, Map<String, String> environment, Consumer<StoredEvent> events) {
    Optional<StoreKind> database = database(source.toString());
    if (database.isPresent()) {
      try (EventStore store =
          EventStores.openExisting(database.get(), environment, TimeSource.REAL)) {
        page(store, EventQuery.ALL, events);
      } catch (StoreMisconfigured | StoreUnavailable failed) {
        throw new CommandFailure(failed.getMessage(), failed);
      }
      return;
    }
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

  private static Optional<StoreKind> database(String source) {
    return switch (source) {
      case "postgresql" -> Optional.of(StoreKind.POSTGRESQL);
      case "mongodb" -> Optional.of(StoreKind.MONGODB);
      default -> Optional.empty();
    };
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
        "%s, line %d: not an event: %s".formatted(file, line, FirstLine.of(why)));
  }

  /** Either a stored event, or an event alone, which then has to say when it was generated. */
  private static StoredEvent event(JsonNode object, int number) {
    if (StoredEventJson.isStored(object)) {
      return StoredEventJson.read(object);
    }
    HealthEvent event = EventJson.event(object);
    String id = "event-" + number;
    Instant generated = event.generatedTimestamp();
    return new StoredEvent(
        id,
        generated == null ? Instant.EPOCH : generated,
        event.toBuilder().id(id).build(),
        HealthEventStatus.NEW,
        "");
  }
}
