package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Conditions that inform people about a maintenance but do not advance it, in addition to those of
 * the clients. Returns only changed ones.
 */
public final class AdvisoryConditions {
  /** False while the Node does not exist. */
  public static final String NODE_FOUND = "nodeFound";

  /** False while the Node lacks the maintenance's label, though the maintenance has begun. */
  public static final String NODE_LABELLED = "nodeLabelled";

  /** True while an annotation has an invalid value. */
  public static final String ANNOTATION_REFUSED = "annotationRefused";

  /** True when the node was returned. */
  public static final String COMPLETED = MaintenanceNames.COMPLETED_CONDITION;

  private AdvisoryConditions() {}

  static List<ConditionChange> of(MaintenanceInput input) {
    List<ConditionChange> conditions = new ArrayList<>();
    MaintenanceFacts maintenance = input.maintenance();
    add(conditions, maintenance, nodeFound(input), MaintenanceNames.TRUE);
    if (maintenance.state().hasBegun() && !maintenance.terminated() && input.node().isPresent()) {
      add(conditions, maintenance, nodeLabelled(input), MaintenanceNames.TRUE);
    }
    add(conditions, maintenance, annotationRefused(maintenance), MaintenanceNames.FALSE);
    return conditions;
  }

  /** The normal state gets no condition, unless the condition exists already. */
  private static void add(
      List<ConditionChange> conditions,
      MaintenanceFacts maintenance,
      ConditionChange condition,
      String usual) {
    Optional<String> before = maintenance.condition(condition.type());
    boolean worth = before.isPresent() || !condition.status().equals(usual);
    if (worth && !before.equals(Optional.of(condition.status()))) {
      conditions.add(condition);
    }
  }

  private static ConditionChange nodeFound(MaintenanceInput input) {
    String node = input.maintenance().node();
    return input.node().isPresent()
        ? new ConditionChange(NODE_FOUND, MaintenanceNames.TRUE, "NodeFound", "")
        : ConditionChange.warning(
            NODE_FOUND,
            MaintenanceNames.FALSE,
            MaintenanceEvent.NodeGone,
            "node " + node + " does not exist; delete this maintenance if it does not come back");
  }

  private static ConditionChange nodeLabelled(MaintenanceInput input) {
    String label = input.maintenance().nodeLabel();
    boolean there = input.node().filter(node -> node.labels().contains(label)).isPresent();
    return there
        ? new ConditionChange(NODE_LABELLED, MaintenanceNames.TRUE, "LabelFound", "")
        : ConditionChange.warning(
            NODE_LABELLED,
            MaintenanceNames.FALSE,
            MaintenanceEvent.LabelRemoved,
            "the label %s was removed from node %s; an uncordon is noticed only after this maintenance is deleted or the label is restored"
                .formatted(label, input.maintenance().node()));
  }

  private static ConditionChange annotationRefused(MaintenanceFacts maintenance) {
    for (ClientAnnotation each : ClientAnnotation.values()) {
      Optional<String> said = maintenance.annotation(each.annotation());
      Optional<String> kept = maintenance.condition(each.condition()).filter(each::isFinal);
      if (said.isPresent() && !each.allows(said.get())) {
        return refused(
            MaintenanceEvent.IllegalValue,
            "%s=%s is not one of %s"
                .formatted(each.annotation(), said.get(), String.join(", ", each.allowed())));
      }
      if (said.isPresent() && kept.isPresent() && !said.equals(kept)) {
        return refused(
            MaintenanceEvent.FinalValueChanged,
            "%s=%s is ignored: the value %s is final"
                .formatted(each.annotation(), said.get(), kept.get()));
      }
    }
    return new ConditionChange(ANNOTATION_REFUSED, MaintenanceNames.FALSE, "AnnotationsFine", "");
  }

  private static ConditionChange refused(MaintenanceEvent event, String message) {
    return ConditionChange.warning(ANNOTATION_REFUSED, MaintenanceNames.TRUE, event, message);
  }
}
