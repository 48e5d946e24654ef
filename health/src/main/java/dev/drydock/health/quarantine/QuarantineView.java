package dev.drydock.health.quarantine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.TrackedFault;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code drydock status} and {@code drydock history} say about quarantines. */
public final class QuarantineView {
  /** What steps of the history are called. */
  public static final String QUARANTINED = "Quarantined";

  public static final String UNHEALTHY = "Unhealthy";
  public static final String HEALTHY = "Healthy";

  private static final String KIND = "Quarantine";
  private static final String WHO = "node";

  private QuarantineView() {}

  /** Only nodes that are in quarantine are read. */
  public static StatusPart status() {
    return new StatusPart(
        KIND,
        StatusEntry.DRAIN,
        Resource.NODES.all().labelSelector(HealthNames.STATE_LABEL),
        QuarantineView::entry);
  }

  private static Optional<Quarantine> quarantine(JsonNode node) {
    return QuarantineNodeObject.read(node, QuarantineRules.DEFAULT_PREFIX)
        .node()
        .state()
        .quarantine();
  }

  private static @Nullable StatusEntry entry(JsonNode node) {
    return quarantine(node)
        .map(
            quarantine ->
                new StatusEntry(
                    node.path("metadata").path("name").asText(""),
                    KIND,
                    StatusEntry.DRAIN,
                    Optional.of(QUARANTINED),
                    quarantine.since(),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    List.of("recovery of " + failures(quarantine))))
        .orElse(null);
  }

  private static String failures(Quarantine quarantine) {
    return quarantine.faults().stream()
        .map(QuarantineView::failure)
        .distinct()
        .limit(5)
        .collect(Collectors.joining(", "));
  }

  private static String failure(TrackedFault fault) {
    HealthEvent event = fault.event();
    if (fault.scope() == TrackedFault.Scope.CHECK) {
      return "all of " + event.checkName() + ", which has more failures than are tracked";
    }
    if (fault.scope() == TrackedFault.Scope.NODE) {
      return "more checks than are tracked, until somebody uncordons the node";
    }
    String entities =
        event.entitiesImpacted().stream()
            .map(QuarantineView::entity)
            .limit(5)
            .collect(Collectors.joining(", "));
    return event.checkName() + (entities.isEmpty() ? "" : " (" + entities + ")");
  }

  private static String entity(ImpactedEntity entity) {
    return entity.entityType() + " " + entity.entityValue();
  }

  /** The quarantine that a node is in, and the newest fatal failure and recovery of each check. */
  public static List<HistoryPart> history(HistoryReader reader) {
    return reader.list("Nodes", Resource.NODES.named(reader.node()), QuarantineView::steps).stream()
        .filter(steps -> !steps.isEmpty())
        .map(steps -> new HistoryPart(HistoryPart.Scope.NODE, "", steps))
        .toList();
  }

  private static List<HistoryStep> steps(JsonNode node) {
    List<HistoryStep> steps = new ArrayList<>();
    quarantine(node)
        .ifPresent(
            quarantine ->
                steps.add(
                    HistoryStep.of(
                        quarantine.since(),
                        WHO,
                        QUARANTINED,
                        "because of %s; episode %s"
                            .formatted(failures(quarantine), quarantine.episode()))));
    for (JsonNode condition : Conditions.of(node.path("status")).all()) {
      String type = text(condition, "type");
      boolean ill = text(condition, "reason").equals(FaultCondition.reason(type, true));
      if (ill || text(condition, "reason").equals(FaultCondition.reason(type, false))) {
        steps.add(
            HistoryStep.of(
                Fields.time(condition, "lastTransitionTime"),
                WHO,
                ill ? UNHEALTHY : HEALTHY,
                type + ": " + text(condition, "message")));
      }
    }
    return steps;
  }
}
