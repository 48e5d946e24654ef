package dev.drydock.app.history;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The history of a node: all entries of its maintenances, merged, oldest first. */
final class NodeHistory {
  /** Events of the node within this time before or after a maintenance belong to its history. */
  private static final Duration AROUND = Duration.ofMinutes(1);

  private final String node;
  private final Instant now;
  private final Records records;

  /** The cluster's records, also about other nodes. */
  record Records(
      List<NotifyMaintenanceObject> maintenances,
      List<JsonNode> drains,
      List<RecordedEvent> events,
      List<TransitionHistory.Entry> transitions) {}

  NodeHistory(String node, Instant now, Records records) {
    this.node = node;
    this.now = now;
    this.records = records;
  }

  /** The complete history. */
  List<HistoryStep> whole() {
    List<List<HistoryStep>> all = new ArrayList<>(histories(every -> true).values());
    records.drains().forEach(request -> all.add(drain(request)));
    all.add(nodeSteps());
    return CausalOrder.of(all);
  }

  /** The part of one task, with the node's own events meanwhile. */
  List<HistoryStep> of(String id, String usualName) {
    Map<String, List<HistoryStep>> histories =
        histories(about -> about.equals(id) || about.equals(usualName));
    if (histories.isEmpty()) {
      return List.of();
    }
    List<Instant> times =
        histories.values().stream().flatMap(List::stream).map(HistoryStep::at).toList();
    Instant first = times.stream().min(Instant::compareTo).orElse(now);
    Instant last = times.stream().max(Instant::compareTo).orElse(now);
    List<List<HistoryStep>> all = new ArrayList<>(histories.values());
    records.drains().stream()
        .filter(request -> histories.containsKey(text(request.path("metadata"), "name")))
        .forEach(request -> all.add(drain(request)));
    all.add(
        nodeSteps().stream()
            .filter(step -> !step.at().isBefore(first.minus(AROUND)))
            .filter(step -> !step.at().isAfter(last.plus(AROUND)))
            .toList());
    return CausalOrder.of(all);
  }

  /**
   * By the maintenances' names.
   *
   * @param wanted by ID, or by name if the object with the ID is gone
   */
  private Map<String, List<HistoryStep>> histories(Predicate<String> wanted) {
    Map<String, List<RecordedEvent>> events =
        records.events().stream()
            .filter(event -> event.object().kind().equals(NotifyMaintenance.KIND))
            .collect(groupingBy(event -> event.object().uid(), LinkedHashMap::new, toList()));
    Map<String, List<HistoryStep>> histories = new LinkedHashMap<>();
    Set<String> known = new LinkedHashSet<>();
    for (NotifyMaintenanceObject seen : records.maintenances()) {
      String uid = seen.facts().identity().uid();
      known.add(uid);
      if (seen.facts().node().equals(node) && wanted.test(MaintenanceHistory.id(seen))) {
        add(histories, seen, events.getOrDefault(uid, List.of()));
      }
    }
    Pattern mention = Pattern.compile("\\bnode " + Pattern.quote(node) + "(?![-\\w]|\\.\\w)");
    events.forEach(
        (uid, about) -> {
          boolean here = about.stream().anyMatch(event -> mention.matcher(event.note()).find());
          if (!known.contains(uid) && here && wanted.test(about.getFirst().object().name())) {
            add(histories, null, about);
          }
        });
    return histories;
  }

  private void add(
      Map<String, List<HistoryStep>> histories,
      @Nullable NotifyMaintenanceObject seen,
      List<RecordedEvent> events) {
    String name = seen == null ? events.getFirst().object().name() : seen.facts().identity().name();
    histories
        .computeIfAbsent(name, first -> new ArrayList<>())
        .addAll(MaintenanceHistory.of(seen, events, now));
  }

  private List<HistoryStep> nodeSteps() {
    List<RecordedEvent> events =
        records.events().stream()
            .filter(event -> event.object().kind().equals("Node"))
            .filter(event -> event.object().name().equals(node))
            .toList();
    Stream<HistoryStep> told =
        events.stream()
            .map(event -> HistoryStep.of(event.at(), "node", event.reason(), event.story()));
    Stream<HistoryStep> remembered =
        records.transitions().stream()
            .map(NodeHistory::end)
            .filter(end -> events.stream().noneMatch(event -> isThat(event, end)));
    return Stream.concat(told, remembered).sorted(Comparator.comparing(HistoryStep::at)).toList();
  }

  /** The Node keeps its LifecycleEvents' results longer than the cluster keeps its Events. */
  private static HistoryStep end(TransitionHistory.Entry entry) {
    return HistoryStep.of(
        entry.ended(),
        "node",
        "LifecycleEvent" + entry.outcome(),
        entry.event() + ": " + entry.message());
  }

  private static boolean isThat(RecordedEvent event, HistoryStep end) {
    return event.reason().equals(end.what())
        && event.note().equals(end.story())
        && Duration.between(event.at(), end.at()).abs().compareTo(AROUND) < 0;
  }

  private List<HistoryStep> drain(JsonNode request) {
    List<HistoryStep> steps = new ArrayList<>();
    JsonNode spec = request.path("spec");
    if (!text(spec, "nodeName").equals(node)) {
      return steps;
    }
    JsonNode metadata = request.path("metadata");
    String name = text(metadata, "namespace") + "/" + text(metadata, "name");
    String reason = text(spec, "reason");
    steps.add(
        HistoryStep.of(
            time(metadata, "creationTimestamp"),
            "drain",
            "DrainRequested",
            "DrainRequest " + name + (reason.isEmpty() ? "" : ": " + reason)));
    for (JsonNode condition : request.path("status").path("conditions")) {
      if (text(condition, "type").equals(DrainRequest.COMPLETE_CONDITION)) {
        steps.add(
            HistoryStep.of(
                time(condition, "lastTransitionTime"),
                "drain",
                text(condition, "reason"),
                text(condition, "message")));
      }
    }
    return steps;
  }
}
