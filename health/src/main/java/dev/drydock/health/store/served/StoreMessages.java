package dev.drydock.health.store.served;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StatusUpdateJson;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.EventStoreProto;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a served store is asked and answers, as messages. */
final class StoreMessages {
  private StoreMessages() {}

  static EventStoreProto.StoredEvent message(StoredEvent stored) {
    return EventStoreProto.StoredEvent.newBuilder()
        .setId(stored.id())
        .setCreatedAt(EventMessages.timestamp(stored.createdAt()))
        .setEvent(EventMessages.message(stored.event()))
        .setStatus(EventMessages.message(stored.status()))
        .setEpisode(stored.episode())
        .build();
  }

  static StoredEvent stored(EventStoreProto.StoredEvent message) {
    return new StoredEvent(
        message.getId(),
        created(message),
        EventMessages.event(message.getEvent()),
        EventMessages.status(message.getStatus()),
        message.getEpisode());
  }

  private static Instant created(EventStoreProto.StoredEvent message) {
    return Instant.ofEpochSecond(
        message.getCreatedAt().getSeconds(), message.getCreatedAt().getNanos());
  }

  static List<StoredEvent> events(EventStoreProto.EventPage page) {
    return page.getEventsList().stream().map(StoreMessages::stored).toList();
  }

  static EventStoreProto.QueryRequest request(EventQuery query) {
    EventStoreProto.QueryRequest.Builder request =
        EventStoreProto.QueryRequest.newBuilder()
            .setNode(query.node().orElse(""))
            .addAllNodeQuarantined(query.nodeQuarantined())
            .setNewestFirst(query.newestFirst())
            .setLimit(query.limit());
    query.since().ifPresent(time -> request.setSince(EventMessages.timestamp(time)));
    query
        .after()
        .ifPresent(
            event ->
                request.setAfter(
                    EventStoreProto.StoredEvent.newBuilder()
                        .setId(event.id())
                        .setCreatedAt(EventMessages.timestamp(event.createdAt()))));
    return request.build();
  }

  /**
   * @param mostEvents whatever the request says
   */
  static EventQuery query(EventStoreProto.QueryRequest request, int mostEvents) {
    return new EventQuery(
        Optional.of(request.getNode()).filter(name -> !name.isEmpty()),
        request.getNodeQuarantinedList(),
        request.hasSince()
            ? Optional.of(
                Instant.ofEpochSecond(
                    request.getSince().getSeconds(), request.getSince().getNanos()))
            : Optional.empty(),
        request.hasAfter() ? Optional.of(place(request.getAfter())) : Optional.empty(),
        request.getNewestFirst(),
        Math.min(request.getLimit(), mostEvents));
  }

  private static StoredEvent place(EventStoreProto.StoredEvent message) {
    return new StoredEvent(
        message.getId(),
        created(message),
        HealthEvent.builder().build(),
        HealthEventStatus.NEW,
        "");
  }

  static EventStoreProto.Update message(EventUpdate update) {
    return EventStoreProto.Update.newBuilder()
        .setId(update.id())
        .setFields(StatusUpdateJson.write(update.update()))
        .build();
  }

  static EventUpdate update(EventStoreProto.Update message) {
    return new EventUpdate(message.getId(), fields(message.getFields()));
  }

  private static StatusUpdate fields(String json) {
    try {
      return StatusUpdateJson.read(json);
    } catch (IOException malformed) {
      throw new IllegalArgumentException(
          "an update cannot be read: " + malformed.getMessage(), malformed);
    }
  }

  static EventStoreProto.Change message(Change change) {
    EventStoreProto.Change.Builder message =
        EventStoreProto.Change.newBuilder()
            .setToken(change.token())
            .setEvent(message(change.event()));
    if (change.kind() == Change.Kind.UPDATED) {
      message.setFields(StatusUpdateJson.write(change.update()));
    }
    return message.build();
  }

  static Change change(EventStoreProto.Change message) {
    boolean updated = message.hasFields();
    return new Change(
        message.getToken(),
        updated ? Change.Kind.UPDATED : Change.Kind.INSERTED,
        stored(message.getEvent()),
        updated ? fields(message.getFields()) : StatusUpdate.NONE);
  }
}
