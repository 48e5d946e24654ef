package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;
import static dev.drydock.maintenance.control.NotifyMaintenanceObject.RESOURCE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.MaintenanceStep.WriteConditions;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes NotifyMaintenances. Every write fails if the object changed since it was read, and returns
 * the new object.
 */
final class MaintenanceWriter {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceWriter.class);

  /** The maximum length of the history; the oldest entries are dropped. */
  private static final int LONGEST_HISTORY = 50;

  /** What the messages of the history may add up to; they contain names that tenants choose. */
  private static final int LONGEST_MESSAGES = 16_000;

  private static final int LONGEST_MESSAGE = 1000;

  private final KubeHttp http;
  private final Clock clock;
  private final Function<NotifyMaintenanceObject, List<HistoryEntry>> entries;

  /**
   * @param entries the history entries of a maintenance; added to the next write
   */
  MaintenanceWriter(Kube kube, Function<NotifyMaintenanceObject, List<HistoryEntry>> entries) {
    http = kube.http();
    clock = kube.clock();
    this.entries = entries;
  }

  /** Whether it is now as it was seen, past all caches. */
  boolean isNewest(NotifyMaintenanceObject seen) {
    return read(seen).filter(now -> now.version().equals(seen.version())).isPresent();
  }

  boolean exists(NotifyMaintenanceObject seen) {
    return read(seen).isPresent();
  }

  /** Whether no maintenance of this node owns a hold of it, as it is now, past the cache. */
  boolean isOrphan(Hold hold, String node) {
    KubeAnswer answer =
        http.send(ApiCall.get(MaintenanceController.HOLD_OWNER.path(hold.holder()).orElseThrow()));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return true;
    }
    NotifyMaintenanceObject owner =
        NotifyMaintenanceObject.read(answer.orThrow("owner of hold " + hold.holder()));
    return !owner.facts().node().equals(node) || !hold.mayBeOf(owner.uid());
  }

  /** Reads from the API server whether it is still scheduled. */
  boolean isStillScheduled(NotifyMaintenanceObject seen) {
    return read(seen)
        .map(NotifyMaintenanceObject::facts)
        .filter(now -> now.state() == MaintenanceState.SCHEDULED && !now.deleted())
        .isPresent();
  }

  private Optional<NotifyMaintenanceObject> read(NotifyMaintenanceObject seen) {
    ApiObject object = seen.object();
    return http.find(RESOURCE, object.namespace(), object.name())
        .map(NotifyMaintenanceObject::read)
        .filter(now -> now.uid().equals(seen.uid()));
  }

  NotifyMaintenanceObject adopt(NotifyMaintenanceObject seen) {
    return send(
        unchanged(seen)
            .label(seen.facts().nodeLabel(), "")
            .addFinalizer(MaintenanceNames.FINALIZER));
  }

  NotifyMaintenanceObject terminate(NotifyMaintenanceObject seen) {
    return annotate(seen, MaintenanceNames.TERMINATED, "");
  }

  NotifyMaintenanceObject removeFinalizer(NotifyMaintenanceObject seen) {
    return send(unchanged(seen).removeFinalizer(MaintenanceNames.FINALIZER));
  }

  /** A client's word, as if it came from outside. */
  NotifyMaintenanceObject annotate(NotifyMaintenanceObject seen, String annotation, String value) {
    return send(unchanged(seen).annotation(annotation, value));
  }

  NotifyMaintenanceObject withdraw(NotifyMaintenanceObject seen, String annotation) {
    return send(unchanged(seen).annotation(annotation, null));
  }

  void delete(NotifyMaintenanceObject seen) {
    Delete.sameUid(RESOURCE, seen.object()).send(http);
  }

  NotifyMaintenanceObject move(NotifyMaintenanceObject seen, Move move) {
    MaintenanceState to = move.to();
    return write(
        seen,
        status -> {
          status.put("maintenanceStatus", to.text());
          move.slaExpires().ifPresent(end -> status.put("slaExpires", end.toString()));
          ArrayNode transitions = status.putArray("transitionTimestamps");
          seen.status().path("transitionTimestamps").forEach(transitions::add);
          transitions
              .addObject()
              .put("maintenanceStatus", to.text())
              .put("transitionTimestamp", now());
          if (!move.conditions().isEmpty()) {
            status.set("conditions", conditions(seen, move.conditions()));
          }
          status.set("history", history(seen, to.text(), move.message()));
          status.put("waitingFor", move.waitingFor().isEmpty() ? null : cut(move.waitingFor()));
        });
  }

  NotifyMaintenanceObject writeConditions(NotifyMaintenanceObject seen, WriteConditions write) {
    ConditionChange last = write.conditions().getLast();
    String message = last.message().isEmpty() ? last.type() + ": " + last.status() : last.message();
    return write(
        seen,
        status -> {
          status.set("conditions", conditions(seen, write.conditions()));
          if (!write.waitingFor().isEmpty()) {
            status.put("waitingFor", cut(write.waitingFor()));
          }
          status.set("history", history(seen, last.reason(), message));
        });
  }

  /** Records completion in an object that stays after the node is back. */
  NotifyMaintenanceObject complete(NotifyMaintenanceObject seen, ConditionChange completed) {
    return write(
        seen,
        status -> {
          status.set("conditions", conditions(seen, List.of(completed)));
          status.set(
              "history",
              history(seen, MaintenanceEvent.MaintenanceComplete.name(), completed.message()));
          status.putNull("waitingFor");
        });
  }

  /** What happened to it, without a change of what it waits for. */
  NotifyMaintenanceObject note(NotifyMaintenanceObject seen, String what, String message) {
    return write(seen, status -> status.set("history", history(seen, what, message)));
  }

  NotifyMaintenanceObject waits(NotifyMaintenanceObject seen, String why) {
    return write(
        seen,
        status -> {
          status.put("waitingFor", cut(why));
          status.set("history", history(seen, MaintenanceEvent.Waits.name(), why));
        });
  }

  /**
   * Records the reason of a failure before the state changes. A report that the server refuses is
   * cut until it fits: that the maintenance failed matters more than its log.
   */
  NotifyMaintenanceObject report(
      NotifyMaintenanceObject seen, String what, String why, List<String> logLines) {
    for (int lines = logLines.size(); lines > 0; lines /= 2) {
      List<String> last = logLines.subList(logLines.size() - lines, logLines.size());
      try {
        return write(
            seen,
            status -> {
              status.set("history", history(seen, what, why));
              ArrayNode kept = status.putArray("lastLogLines");
              last.forEach(kept::add);
            });
      } catch (ApiFailure refused) {
        if (refused.isRetriable() || refused.code() == HttpURLConnection.HTTP_NOT_FOUND) {
          throw refused;
        }
        LOG.info("NotifyMaintenance {}: {} log lines: {}", seen, lines, refused.getMessage());
      }
    }
    return note(seen, what, why);
  }

  private static String cut(String message) {
    return ShortText.of(message, LONGEST_MESSAGE);
  }

  private ArrayNode history(NotifyMaintenanceObject seen, String what, String message) {
    ArrayNode history = Json.array();
    JsonNode before = seen.history();
    before.forEach(history::add);
    Instant now = time(now());
    List<HistoryEntry> all =
        entries.apply(seen).stream()
            .map(entry -> new HistoryEntry(entry.what(), entry.at(), cut(entry.message())))
            .toList();
    for (HistoryEntry entry : HistoryEntries.untold(all, before, isFull(before))) {
      // Entries keep their order even if clocks differ.
      Instant last = time(history.path(history.size() - 1), "at");
      Instant at = entry.at().isBefore(last) ? last : entry.at();
      add(history, at.isAfter(now) ? now : at, entry.what().name(), entry.message());
    }
    add(history, now, what, message);
    while (history.size() > LONGEST_HISTORY || messages(history) > LONGEST_MESSAGES) {
      var _ = history.remove(0);
    }
    return history;
  }

  /** Whether entries may have been dropped. */
  private static boolean isFull(JsonNode history) {
    return history.size() >= LONGEST_HISTORY
        || messages(history) > LONGEST_MESSAGES - LONGEST_MESSAGE;
  }

  private static int messages(JsonNode history) {
    int length = 0;
    for (JsonNode entry : history) {
      length += text(entry, "message").length();
    }
    return length;
  }

  private static void add(ArrayNode history, Instant at, String what, String message) {
    history.addObject().put("at", at.toString()).put("what", what).put("message", cut(message));
  }

  /** All of them: the list has no keys to merge by. */
  private ArrayNode conditions(NotifyMaintenanceObject seen, List<ConditionChange> changes) {
    ArrayNode all = Json.array();
    seen.status().path("conditions").forEach(all::add);
    for (ConditionChange change : changes) {
      Conditions before = Conditions.of(Json.object().set("conditions", all));
      all =
          before.with(
              new Conditions.Condition(
                  change.type(), change.status(), change.reason(), cut(change.message())),
              clock.instant());
    }
    return all;
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static Patch unchanged(NotifyMaintenanceObject seen) {
    return Patch.ifUnchanged(RESOURCE, seen.object());
  }

  private NotifyMaintenanceObject write(
      NotifyMaintenanceObject seen, Consumer<ObjectNode> statusFields) {
    return send(unchanged(seen).status(statusFields));
  }

  private NotifyMaintenanceObject send(Patch patch) {
    return NotifyMaintenanceObject.read(patch.send(http));
  }
}
