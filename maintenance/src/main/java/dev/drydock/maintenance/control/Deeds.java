package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.ClassScene.Attempt;
import dev.drydock.maintenance.decide.ClassStep.Purpose;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What was done for a maintenance with a class: the plan of its drain, the Jobs that ran. */
final class Deeds {
  /** A plan names so many blockers. */
  private static final int MOST_BLOCKERS = 3;

  private Deeds() {}

  /** All there is to tell now, by what the caches know. */
  static List<Deed> of(MaintenanceSeen seen, ClassCluster cluster) {
    List<Deed> deeds = new ArrayList<>();
    MaintenanceState state = seen.facts().state();
    if (state == MaintenanceState.STARTED || state == MaintenanceState.SLA_EXPIRED) {
      cluster
          .clazz(seen)
          .map(clazz -> DrainObject.of(clazz.spec().drain(), seen))
          .flatMap(wanted -> cluster.drains().find(seen, wanted))
          .flatMap(request -> plan(seen.facts().node(), request))
          .ifPresent(deeds::add);
    }
    cluster.jobs().stream()
        .filter(job -> job.maintenance().equals(seen.uid()))
        .sorted(Comparator.comparing(JobSeen::created).thenComparing(JobSeen::name))
        .forEach(job -> deeds.addAll(of(job)));
    return deeds;
  }

  /** Empty as long as whoever drains has not said what must go. */
  static Optional<Deed> plan(String node, JsonNode request) {
    JsonNode status = request.path("status");
    if (!status.path("podsLeft").isNumber()) {
      return Optional.empty();
    }
    int left = status.path("podsLeft").asInt();
    int all = left + status.path("podsGone").asInt();
    Instant at = time(request.path("metadata"), "creationTimestamp");
    return Optional.of(
        new Deed(MaintenanceEvent.DrainPlanned, at, pods(all, left, node) + details(status)));
  }

  private static String pods(int all, int left, String node) {
    String verb = left == 0 ? "had to" : "must";
    return switch (all) {
      case 0 -> "no pod %s leave node %s".formatted(verb, node);
      case 1 -> "1 pod %s leave node %s".formatted(verb, node);
      default -> "%d pods %s leave node %s".formatted(all, verb, node);
    };
  }

  private static String details(JsonNode status) {
    String eta = text(status, "eta");
    List<String> blockers =
        StreamSupport.stream(status.path("blockers").spliterator(), false)
            .map(blocker -> text(blocker, "message"))
            .toList();
    String named = blockers.stream().limit(MOST_BLOCKERS).collect(Collectors.joining("; "));
    int more = blockers.size() - MOST_BLOCKERS;
    return (eta.isEmpty() ? "" : ", ETA " + eta)
        + (named.isEmpty() ? "" : "; in the way: " + named)
        + (more > 0 ? "; and %d more".formatted(more) : "");
  }

  static List<Deed> of(JobSeen job) {
    String purpose = job.purpose() == Purpose.WORK ? "maintenance" : "validation";
    int number = job.attempt().number();
    String which =
        "%s Job %s/%s%s"
            .formatted(
                purpose, job.namespace(), job.name(), number == 1 ? "" : ", attempt " + number);
    Deed started = new Deed(MaintenanceEvent.JobStarted, job.created(), which);
    Attempt attempt = job.attempt();
    return switch (attempt.stage()) {
      case RUNNING -> List.of(started);
      case SUCCEEDED ->
          List.of(
              started,
              new Deed(
                  MaintenanceEvent.JobSucceeded,
                  attempt.finished(),
                  which + ", after " + words(Duration.between(job.created(), attempt.finished()))));
      case FAILED ->
          List.of(
              started,
              new Deed(
                  MaintenanceEvent.JobFailed,
                  attempt.finished(),
                  which + ": " + attempt.message()));
    };
  }

  private static String words(Duration time) {
    Duration seconds = Duration.ofSeconds(Math.max(0, time.toSeconds()));
    return seconds.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  /**
   * Those that its story lacks. There is one plan, however it goes on.
   *
   * @param full the story may have lost its beginning, and what is older than the rest with it
   */
  static List<Deed> untold(List<Deed> deeds, JsonNode history, boolean full) {
    Set<String> told =
        StreamSupport.stream(history.spliterator(), false)
            .map(step -> key(text(step, "what"), text(step, "message")))
            .collect(Collectors.toSet());
    Instant oldest = full ? time(history.path(0), "at") : Instant.EPOCH;
    return deeds.stream()
        .filter(deed -> !told.contains(key(deed.what().name(), deed.message())))
        .filter(deed -> !deed.at().isBefore(oldest))
        .toList();
  }

  private static String key(String what, String message) {
    return what.equals(MaintenanceEvent.DrainPlanned.name()) ? what : what + " " + message;
  }

  /** The deeds among the steps that one story has and an earlier state of it had not. */
  static List<Deed> between(JsonNode before, JsonNode after) {
    Set<JsonNode> known =
        StreamSupport.stream(before.spliterator(), false).collect(Collectors.toSet());
    List<Deed> deeds = new ArrayList<>();
    for (JsonNode step : after) {
      if (!known.contains(step)) {
        MaintenanceEvent.deed(text(step, "what"))
            .map(what -> new Deed(what, time(step, "at"), text(step, "message")))
            .ifPresent(deeds::add);
      }
    }
    return deeds;
  }
}
