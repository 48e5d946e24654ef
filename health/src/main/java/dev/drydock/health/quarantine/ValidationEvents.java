package dev.drydock.health.quarantine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.FaultBounds;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.QuarantineDecision.Kind;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.rules.ValidationRules;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of a quarantine after which the node is validated, as they are written on the Node.
 * They stay when the quarantine ends, until the validation was requested.
 */
public final class ValidationEvents {
  private static final String TESTS = "tests";

  /** How many fit on the Node. */
  private static final int MOST = 50;

  private ValidationEvents() {}

  /** An event, with the tests that it asks for. */
  public record Entry(HealthEvent event, List<String> tests) {
    public Entry {
      tests = List.copyOf(tests);
    }
  }

  /** Whether a change adds a failure; one that was there before is only noted. */
  static boolean isAdded(Change change, String id) {
    return (change.kind() == Kind.BEGIN || change.kind() == Kind.MERGE)
        && !change.after().last().containsKey(id);
  }

  /** The annotation with those of the events that ask for tests; empty for none. */
  static String with(String annotation, List<HealthEvent> added, ValidationRules rules) {
    ArrayNode entries = Json.array();
    for (Entry entry : readOrNone(annotation)) {
      entries.add(json(entry));
    }
    for (HealthEvent event : added) {
      List<String> tests = rules.tests(event);
      if (!tests.isEmpty() && entries.size() < MOST) {
        entries.add(json(new Entry(event, tests)));
      }
    }
    return entries.isEmpty() ? "" : entries.toString();
  }

  private static ObjectNode json(Entry entry) {
    ObjectNode json = EventAnnotation.json(FaultBounds.small(entry.event()));
    entry.tests().forEach(json.putArray(TESTS)::add);
    return json;
  }

  /** What another program left there must not keep a quarantine from going on. */
  private static List<Entry> readOrNone(String annotation) {
    try {
      return read(annotation);
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /**
   * Reads the annotation.
   *
   * @throws IOException if it cannot be read
   */
  public static List<Entry> read(String annotation) throws IOException {
    List<Entry> entries = new ArrayList<>();
    if (!annotation.isBlank()) {
      try {
        for (JsonNode each : Json.read(annotation)) {
          entries.add(new Entry(EventJson.event(each), Fields.list(each.path(TESTS))));
        }
      } catch (IllegalArgumentException malformed) {
        throw new IOException(malformed.getMessage(), malformed);
      }
    }
    return entries;
  }
}
