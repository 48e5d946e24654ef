package dev.drydock.health.quarantine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.AppliedMarks;
import dev.drydock.health.decide.AppliedMarks.AppliedLabel;
import dev.drydock.health.decide.AppliedMarks.AppliedTaint;
import dev.drydock.health.decide.AppliedMarks.Cordon;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.NodeEdit;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.QuarantineState;
import dev.drydock.health.decide.Strikes;
import dev.drydock.health.decide.TrackedFault;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A quarantine as annotations of its Node. */
public final class QuarantineAnnotations {
  private QuarantineAnnotations() {}

  /**
   * What the annotations of a Node say.
   *
   * @throws IOException if they cannot be read
   */
  public static QuarantineState readState(Map<String, String> annotations) throws IOException {
    JsonNode journal = Json.read(annotations.getOrDefault(QuarantineNames.JOURNAL, "{}"));
    List<TrackedFault> faults = new ArrayList<>();
    for (HealthEvent event :
        EventAnnotation.read(annotations.getOrDefault(QuarantineNames.EVENTS, ""))) {
      faults.add(fault(event, journal.path("faults").path(event.id())));
    }
    Map<String, HealthStatus> last = new LinkedHashMap<>();
    journal
        .path("last")
        .properties()
        .forEach(
            entry ->
                HealthStatus.find(entry.getValue().asText())
                    .ifPresent(status -> last.put(entry.getKey(), status)));
    Optional<Quarantine> quarantine =
        faults.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Quarantine(
                    journal.path("episode").asText(faults.getFirst().event().id()),
                    Fields.time(journal, "since"),
                    faults));
    return new QuarantineState(quarantine, last, text(journal, "lastEpisode"));
  }

  /** How long the drain took that the node drainer did in this quarantine; zero without one. */
  static Duration drainTime(Map<String, String> annotations, String episode) {
    try {
      JsonNode drain = Json.read(annotations.getOrDefault(QuarantineNames.DRAIN_RECORD, "{}"));
      return text(drain, "episode").equals(episode) && drain.has("ended")
          ? Duration.between(Fields.time(drain, "since"), Fields.time(drain, "ended"))
          : Duration.ZERO;
    } catch (IOException | DateTimeException unreadable) {
      return Duration.ZERO; // somebody has changed it: the time is not known
    }
  }

  private static TrackedFault fault(HealthEvent event, JsonNode known) {
    return known.isObject()
        ? TrackedFault.of(
            event, Fields.time(known, "created"), List.copyOf(Fields.list(known.path("rules"))))
        : TrackedFault.foreign(event);
  }

  static AppliedMarks readMarks(Map<String, String> annotations, String cordonReason)
      throws IOException {
    List<AppliedTaint> taints = new ArrayList<>();
    for (JsonNode taint : list(annotations, QuarantineNames.TAINTS)) {
      taints.add(
          new AppliedTaint(
              new NodeTaint(text(taint, "key"), text(taint, "value"), text(taint, "effect")),
              taint.path("preExisting").asBoolean(false)));
    }
    List<AppliedLabel> labels = new ArrayList<>();
    for (JsonNode label : list(annotations, QuarantineNames.LABELS)) {
      labels.add(
          new AppliedLabel(
              text(label, "key"),
              text(label, "value"),
              Fields.count(label, "priority"),
              Fields.count(label, "order"),
              label.hasNonNull("previous")
                  ? Optional.of(text(label, "previous"))
                  : Optional.empty()));
    }
    Cordon cordon = Cordon.NONE;
    if (annotations.containsKey(QuarantineNames.PRE_EXISTING)) {
      cordon = Cordon.PRE_EXISTING;
    } else if (annotations.containsKey(QuarantineNames.CORDONED)) {
      cordon = Cordon.OURS;
    }
    return new AppliedMarks(taints, labels, cordon, cordonReason);
  }

  private static JsonNode list(Map<String, String> annotations, String name) throws IOException {
    return Json.read(annotations.getOrDefault(name, "[]"));
  }

  static Strikes readStrikes(Map<String, String> annotations) throws IOException {
    Map<String, List<Instant>> byPart = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> part :
        Json.read(annotations.getOrDefault(QuarantineNames.STRIKES, "{}")).properties()) {
      List<Instant> times = new ArrayList<>();
      part.getValue().forEach(time -> times.add(Fields.time(time.asText())));
      byPart.put(part.getKey(), times);
    }
    return new Strikes(byPart);
  }

  /** All annotations that an edit sets, or removes if absent. */
  static Map<String, Optional<String>> write(NodeEdit edit) {
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    AppliedMarks marks = edit.marks();
    all.put(QuarantineNames.EVENTS, edit.state().quarantine().map(QuarantineAnnotations::events));
    all.put(
        QuarantineNames.TAINTS,
        marks.taints().isEmpty() ? Optional.empty() : Optional.of(taints(marks.taints())));
    all.put(
        QuarantineNames.LABELS,
        marks.labels().isEmpty() ? Optional.empty() : Optional.of(labels(marks.labels())));
    all.put(QuarantineNames.CORDONED, flag(marks.cordon() == Cordon.OURS));
    all.put(QuarantineNames.PRE_EXISTING, flag(marks.cordon() == Cordon.PRE_EXISTING));
    all.put(QuarantineNames.JOURNAL, journal(edit.state()));
    all.put(
        QuarantineNames.STRIKES,
        edit.strikes().byPart().isEmpty()
            ? Optional.empty()
            : Optional.of(strikes(edit.strikes())));
    if (edit.manual() != ManualEnd.NONE) {
      all.put(QuarantineNames.VALIDATION, Optional.empty()); // a person has looked at the node
    }
    switch (edit.manual()) {
      case UNCORDONED -> all.put(QuarantineNames.UNCORDONED_MANUALLY, flag(true));
      case UNTAINTED -> all.put(QuarantineNames.UNTAINTED_MANUALLY, flag(true));
      case NONE -> {
        all.put(QuarantineNames.UNCORDONED_MANUALLY, Optional.empty());
        all.put(QuarantineNames.UNTAINTED_MANUALLY, Optional.empty());
      }
    }
    return all;
  }

  private static Optional<String> flag(boolean on) {
    return on ? Optional.of(QuarantineNames.TRUE) : Optional.empty();
  }

  private static String events(Quarantine quarantine) {
    return EventAnnotation.write(quarantine.faults().stream().map(TrackedFault::event).toList());
  }

  private static String taints(List<AppliedTaint> taints) {
    ArrayNode array = Json.array();
    for (AppliedTaint applied : taints) {
      ObjectNode taint = array.addObject();
      taint.put("key", applied.taint().key());
      taint.put("value", applied.taint().value());
      taint.put("effect", applied.taint().effect());
      if (applied.preExisting()) {
        taint.put("preExisting", true);
      }
    }
    return array.toString();
  }

  private static String labels(List<AppliedLabel> labels) {
    ArrayNode array = Json.array();
    for (AppliedLabel applied : labels) {
      ObjectNode label = array.addObject();
      label.put("key", applied.key()).put("value", applied.value());
      label.put("priority", applied.priority()).put("order", applied.order());
      applied.previous().ifPresent(value -> label.put("previous", value));
    }
    return array.toString();
  }

  private static Optional<String> journal(QuarantineState state) {
    if (state.equals(QuarantineState.NONE)) {
      return Optional.empty();
    }
    ObjectNode journal = Json.object();
    state
        .quarantine()
        .ifPresent(
            quarantine -> {
              journal.put("episode", quarantine.episode());
              journal.put("since", quarantine.since().toString());
              ObjectNode faults = journal.putObject("faults");
              quarantine.faults().forEach(fault -> put(faults, fault));
            });
    if (!state.last().isEmpty()) {
      journal.put("lastEpisode", state.lastEpisode());
      ObjectNode last = journal.putObject("last");
      state.last().forEach((id, status) -> last.put(id, status.word()));
    }
    return Optional.of(journal.toString());
  }

  /** What another program tracked is not known any better when we write it again. */
  private static void put(ObjectNode faults, TrackedFault fault) {
    if (fault.created().isPresent() && fault.ruleSets().isPresent()) {
      ObjectNode known = faults.putObject(fault.event().id());
      known.put("created", fault.created().get().toString());
      fault.ruleSets().get().forEach(known.putArray("rules")::add);
    }
  }

  private static String strikes(Strikes strikes) {
    ObjectNode byPart = Json.object();
    strikes
        .byPart()
        .forEach(
            (part, times) -> {
              ArrayNode all = byPart.putArray(part);
              times.forEach(time -> all.add(time.toString()));
            });
    return byPart.toString();
  }
}
