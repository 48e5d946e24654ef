package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.maintenance.decide.MaintenanceStep.Mark;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.WaitMessages;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes to NotifyMaintenances. Every write is refused if the object changed since it was read, and
 * returns it as it is then.
 */
final class MaintenanceWriter {
  /** The story of a maintenance that goes round in circles is cut at its beginning. */
  private static final int LONGEST_HISTORY = 100;

  private final KubeHttp http;
  private final Clock clock;
  private final Function<NotifyMaintenanceObject, List<HistoryEntry>> entries;

  /**
   * @param entries what was done for a maintenance; told with what is written anyway
   */
  MaintenanceWriter(
      KubeHttp http, Clock clock, Function<NotifyMaintenanceObject, List<HistoryEntry>> entries) {
    this.http = http;
    this.clock = clock;
    this.entries = entries;
  }

  /** Whether it is now as it was seen, past all caches. */
  boolean isNewest(NotifyMaintenanceObject seen) {
    return read(seen).filter(now -> now.version().equals(seen.version())).isPresent();
  }

  boolean exists(NotifyMaintenanceObject seen) {
    return read(seen).isPresent();
  }

  private Optional<NotifyMaintenanceObject> read(NotifyMaintenanceObject seen) {
    KubeAnswer answer = http.send(ApiCall.get(seen.path()));
    return answer.code() == HttpURLConnection.HTTP_NOT_FOUND
        ? Optional.empty()
        : Optional.of(NotifyMaintenanceObject.read(answer.orThrow("NotifyMaintenance " + seen)))
            .filter(now -> now.uid().equals(seen.uid()));
  }

  NotifyMaintenanceObject adopt(NotifyMaintenanceObject seen) {
    ObjectNode patch = unchanged(seen);
    ObjectNode metadata = (ObjectNode) patch.path("metadata");
    metadata.putObject("labels").put(seen.facts().nodeLabel(), "");
    ArrayNode finalizers = metadata.putArray("finalizers");
    seen.finalizers().stream()
        .filter(other -> !other.equals(MaintenanceNames.FINALIZER))
        .forEach(finalizers::add);
    finalizers.add(MaintenanceNames.FINALIZER);
    return send(seen, seen.path(), patch);
  }

  NotifyMaintenanceObject terminate(NotifyMaintenanceObject seen) {
    ObjectNode patch = unchanged(seen);
    ((ObjectNode) patch.path("metadata"))
        .putObject("annotations")
        .put(MaintenanceNames.TERMINATED, "");
    return send(seen, seen.path(), patch);
  }

  NotifyMaintenanceObject removeFinalizer(NotifyMaintenanceObject seen) {
    ObjectNode patch = unchanged(seen);
    ArrayNode left = ((ObjectNode) patch.path("metadata")).putArray("finalizers");
    seen.finalizers().stream()
        .filter(other -> !other.equals(MaintenanceNames.FINALIZER))
        .forEach(left::add);
    return send(seen, seen.path(), patch);
  }

  NotifyMaintenanceObject move(NotifyMaintenanceObject seen, Move move, String message) {
    ObjectNode patch = unchanged(seen);
    ObjectNode status = patch.putObject("status");
    MaintenanceState to = move.to();
    status.put("maintenanceStatus", to.text());
    move.slaExpires().ifPresent(end -> status.put("slaExpires", end.toString()));
    ArrayNode transitions = status.putArray("transitionTimestamps");
    seen.status().path("transitionTimestamps").forEach(transitions::add);
    transitions.addObject().put("maintenanceStatus", to.text()).put("transitionTimestamp", now());
    if (!move.marks().isEmpty()) {
      status.set("conditions", conditions(seen, move.marks()));
    }
    status.set("history", history(seen, to.text(), message));
    // The clients of a class say themselves what they wait for.
    status.put(
        "waitingFor",
        seen.facts().spec().maintenanceClass() == null
            ? WaitMessages.waitingFor(to, seen.facts())
            : null);
    return send(seen, seen.path() + "/status", patch);
  }

  NotifyMaintenanceObject mark(NotifyMaintenanceObject seen, List<Mark> marks) {
    ObjectNode patch = unchanged(seen);
    ObjectNode status = patch.putObject("status");
    status.set("conditions", conditions(seen, marks));
    boolean proved =
        marks.stream()
            .anyMatch(
                mark ->
                    mark.type().equals(MaintenanceNames.VALIDATION_CONDITION)
                        && mark.status().equals(MaintenanceNames.VALIDATED));
    if (proved && seen.facts().spec().maintenanceClass() == null) {
      status.put("waitingFor", WaitMessages.forReturn(seen.facts()));
    }
    Mark last = marks.getLast();
    String message = last.type() + ": " + last.status();
    status.set(
        "history",
        history(seen, last.reason(), last.message().isEmpty() ? message : last.message()));
    return send(seen, seen.path() + "/status", patch);
  }

  /** The node is back though the object stays: what it says last is that it is over. */
  NotifyMaintenanceObject complete(NotifyMaintenanceObject seen, Mark completed) {
    ObjectNode patch = unchanged(seen);
    ObjectNode status = patch.putObject("status");
    status.set("conditions", conditions(seen, List.of(completed)));
    status.set("history", history(seen, "MaintenanceComplete", completed.message()));
    status.putNull("waitingFor");
    return send(seen, seen.path() + "/status", patch);
  }

  /** A client's word, as if it came from outside. */
  NotifyMaintenanceObject annotate(NotifyMaintenanceObject seen, String annotation, String value) {
    ObjectNode patch = unchanged(seen);
    ((ObjectNode) patch.path("metadata")).putObject("annotations").put(annotation, value);
    return send(seen, seen.path(), patch);
  }

  NotifyMaintenanceObject waits(NotifyMaintenanceObject seen, String why) {
    ObjectNode patch = unchanged(seen);
    ObjectNode status = patch.putObject("status");
    status.put("waitingFor", why);
    status.set("history", history(seen, "Waits", why));
    return send(seen, seen.path() + "/status", patch);
  }

  /** Why something went wrong, before it is said that it did. */
  NotifyMaintenanceObject report(
      NotifyMaintenanceObject seen, String what, String why, List<String> logLines) {
    ObjectNode patch = unchanged(seen);
    ObjectNode status = patch.putObject("status");
    status.set("history", history(seen, what, why));
    ArrayNode lines = status.putArray("lastLogLines");
    logLines.forEach(lines::add);
    return send(seen, seen.path() + "/status", patch);
  }

  /** As it is now, past the cache. */
  boolean isStillScheduled(NotifyMaintenanceObject seen) {
    KubeAnswer answer = http.send(ApiCall.get(seen.path()));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return false;
    }
    NotifyMaintenanceObject now =
        NotifyMaintenanceObject.read(answer.orThrow("NotifyMaintenance " + seen));
    return now.uid().equals(seen.uid())
        && now.facts().state() == MaintenanceState.SCHEDULED
        && !now.facts().deleted();
  }

  private ArrayNode history(NotifyMaintenanceObject seen, String what, String message) {
    ArrayNode history = Json.array();
    JsonNode before = seen.status().path("history");
    before.forEach(history::add);
    Instant now = time(now());
    boolean full = before.size() >= LONGEST_HISTORY;
    for (HistoryEntry entry : HistoryEntries.untold(entries.apply(seen), before, full)) {
      // Clocks differ; the order in which things happened does not.
      Instant last = time(history.path(history.size() - 1), "at");
      Instant at = entry.at().isBefore(last) ? last : entry.at();
      add(history, at.isAfter(now) ? now : at, entry.what().name(), entry.message());
    }
    add(history, now, what, message);
    while (history.size() > LONGEST_HISTORY) {
      var _ = history.remove(0);
    }
    return history;
  }

  private static void add(ArrayNode history, Instant at, String what, String message) {
    history.addObject().put("at", at.toString()).put("what", what).put("message", message);
  }

  /** All of them: the list has no keys to merge by. */
  private ArrayNode conditions(NotifyMaintenanceObject seen, List<Mark> marks) {
    ArrayNode conditions = Json.array();
    for (JsonNode condition : seen.status().path("conditions")) {
      boolean replaced =
          marks.stream().anyMatch(mark -> mark.type().equals(text(condition, "type")));
      if (!replaced) {
        conditions.add(condition);
      }
    }
    for (Mark mark : marks) {
      conditions
          .addObject()
          .put("type", mark.type())
          .put("status", mark.status())
          .put("reason", mark.reason())
          .put("message", mark.message())
          .put("lastTransitionTime", now());
    }
    return conditions;
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static ObjectNode unchanged(NotifyMaintenanceObject seen) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", seen.uid()).put("resourceVersion", seen.version());
    return patch;
  }

  private NotifyMaintenanceObject send(
      NotifyMaintenanceObject seen, String path, ObjectNode patch) {
    JsonNode after =
        http.send(ApiCall.mergePatch(path, patch.toString())).orThrow("NotifyMaintenance " + seen);
    return NotifyMaintenanceObject.read(after);
  }
}
