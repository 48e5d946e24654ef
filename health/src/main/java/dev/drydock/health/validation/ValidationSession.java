package dev.drydock.health.validation;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.event.SpanId;
import dev.drydock.health.quarantine.ValidationEvents.Entry;
import dev.drydock.health.rules.ValidationRules;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.StoredEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A quarantine that is over, and what is to be validated after it. */
record ValidationSession(String node, List<Entry> entries) {
  private static final int ID_BYTES = 6;

  /** The id, the same for the same events, so that a validation is requested once. */
  String id() {
    return SpanId.digest(
        entries.stream().map(entry -> entry.event().id()).sorted().collect(Collectors.joining(",")),
        ID_BYTES);
  }

  /** Sorted, each once. */
  List<String> tests() {
    TreeSet<String> tests = new TreeSet<>();
    entries.forEach(entry -> tests.addAll(entry.tests()));
    return List.copyOf(tests);
  }

  String trace() {
    return entries.stream()
        .map(entry -> entry.event().metadata().getOrDefault(HealthNames.TRACE_ID, ""))
        .filter(trace -> !trace.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** The data of the template, by the names that templates use. */
  Map<String, Object> data() {
    return Map.of(
        "NodeName",
        node,
        "SessionID",
        id(),
        "Tests",
        tests(),
        "TraceID",
        trace(),
        "SpanID",
        SpanId.of(HealthNames.FAULT_QUARANTINE, id()));
  }

  /** Whether all pods had to leave the node for it. */
  static boolean isFullyDrained(StoredEvent stored, ValidationRules rules) {
    DrainScope scope = DrainScope.of(stored.event(), rules.partialDrains());
    return scope instanceof DrainScope.WholeNode
        && ChangeFilter.DRAINED.contains(stored.status().userPodsEvictionStatus().status());
  }
}
