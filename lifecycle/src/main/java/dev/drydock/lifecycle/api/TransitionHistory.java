package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The last LifecycleEvents of a node and how they ended, which outlives the events: it is kept in
 * an annotation of the Node. The oldest come first.
 */
public record TransitionHistory(List<Entry> entries) {
  /** More would make the Node heavy for all who watch nodes. */
  private static final int MOST = 10;

  private static final int LONGEST_MESSAGE = 300;

  public TransitionHistory {
    entries = List.copyOf(entries);
  }

  /** One event that is over. */
  public record Entry(
      String event,
      String uid,
      String transition,
      String outcome,
      Instant created,
      Instant ended,
      String message) {}

  /** An unreadable history counts as empty. */
  public static TransitionHistory read(String annotation) {
    List<Entry> entries = new ArrayList<>();
    try {
      for (JsonNode each : Json.read(annotation)) {
        entries.add(
            new Entry(
                text(each, "event"),
                text(each, "uid"),
                text(each, "transition"),
                text(each, "outcome"),
                Fields.time(each, "created"),
                Fields.time(each, "ended"),
                text(each, "message")));
      }
    } catch (IOException | java.time.DateTimeException unreadable) {
      return new TransitionHistory(List.of());
    }
    return new TransitionHistory(entries);
  }

  public boolean has(String uid) {
    return entries.stream().anyMatch(entry -> entry.uid().equals(uid));
  }

  TransitionHistory with(Entry entry) {
    List<Entry> all = new ArrayList<>(entries);
    all.add(entry);
    return new TransitionHistory(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  String write() {
    ArrayNode array = Json.array();
    for (Entry entry : entries) {
      array
          .addObject()
          .put("event", entry.event())
          .put("uid", entry.uid())
          .put("transition", entry.transition())
          .put("outcome", entry.outcome())
          .put("created", entry.created().toString())
          .put("ended", entry.ended().toString())
          .put("message", ShortText.of(entry.message(), LONGEST_MESSAGE));
    }
    return array.toString();
  }
}
