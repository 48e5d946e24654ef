package dev.drydock.health.quarantine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.health.decide.NodeEdits;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.TrackedFault;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code drydock status} and {@code drydock history} say about quarantines. */
public final class QuarantineView {
  private static final String KIND = "Quarantine";

  private QuarantineView() {}

  /** Only nodes that are in quarantine are read. */
  public static StatusPart status() {
    return new StatusPart(
        KIND,
        StatusEntry.DRAIN,
        Resource.NODES.all().labelSelector(NodeEdits.STATE_LABEL),
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
                    Optional.of("Quarantined"),
                    quarantine.since(),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    List.of("recovery of " + failures(quarantine))))
        .orElse(null);
  }

  private static String failures(Quarantine quarantine) {
    return quarantine.faults().stream()
        .map(TrackedFault::event)
        .map(QuarantineView::failure)
        .distinct()
        .limit(5)
        .collect(Collectors.joining(", "));
  }

  private static String failure(HealthEvent event) {
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

  /** The quarantine that a node is in. */
  public static List<HistoryPart> history(HistoryReader reader) {
    return reader
        .list("Nodes", Resource.NODES.named(reader.node()), QuarantineView::quarantine)
        .stream()
        .flatMap(Optional::stream)
        .map(
            quarantine ->
                new HistoryPart(
                    HistoryPart.Scope.NODE,
                    "",
                    List.of(
                        HistoryStep.of(
                            quarantine.since(),
                            "node",
                            "Quarantined",
                            "because of %s; episode %s"
                                .formatted(failures(quarantine), quarantine.episode())))))
        .toList();
  }
}
