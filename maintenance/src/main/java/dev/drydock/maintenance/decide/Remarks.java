package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.maintenance.decide.MaintenanceStep.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What people should know about a maintenance that does not move it: conditions beside those of the
 * clients. Only what differs from the conditions as they stand.
 */
public final class Remarks {
  /** False while the Node does not exist. */
  public static final String NODE_FOUND = "nodeFound";

  /** False while the Node lacks the maintenance's label, though the maintenance has begun. */
  public static final String NODE_LABELLED = "nodeLabelled";

  /** True while an annotation says what it must not. */
  public static final String ANNOTATION_REFUSED = "annotationRefused";

  /** True once the node was returned. */
  public static final String COMPLETED = "completed";

  private Remarks() {}

  static List<Mark> of(MaintenanceScene scene) {
    List<Mark> marks = new ArrayList<>();
    MaintenanceFacts maintenance = scene.maintenance();
    add(marks, maintenance, nodeFound(scene), MaintenanceNames.TRUE);
    if (maintenance.state().hasBegun() && !maintenance.terminated() && scene.node().isPresent()) {
      add(marks, maintenance, nodeLabelled(scene), MaintenanceNames.TRUE);
    }
    add(marks, maintenance, annotationRefused(maintenance), MaintenanceNames.FALSE);
    return marks;
  }

  /** What is as usual is not worth a condition, unless it was otherwise before. */
  private static void add(List<Mark> marks, MaintenanceFacts maintenance, Mark mark, String usual) {
    Optional<String> before = maintenance.condition(mark.type());
    boolean worth = before.isPresent() || !mark.status().equals(usual);
    if (worth && !before.equals(Optional.of(mark.status()))) {
      marks.add(mark);
    }
  }

  private static Mark nodeFound(MaintenanceScene scene) {
    String node = scene.maintenance().node();
    return scene.node().isPresent()
        ? new Mark(NODE_FOUND, MaintenanceNames.TRUE, "NodeFound", "")
        : new Mark(
            NODE_FOUND,
            MaintenanceNames.FALSE,
            "NodeGone",
            "node " + node + " does not exist; delete this maintenance if it does not come back");
  }

  private static Mark nodeLabelled(MaintenanceScene scene) {
    String label = scene.maintenance().nodeLabel();
    boolean there = scene.node().filter(node -> node.labels().contains(label)).isPresent();
    return there
        ? new Mark(NODE_LABELLED, MaintenanceNames.TRUE, "LabelFound", "")
        : new Mark(
            NODE_LABELLED,
            MaintenanceNames.FALSE,
            "LabelRemoved",
            "somebody removed the label %s from node %s; uncordoning is noticed only after this maintenance is deleted, or the label is put back"
                .formatted(label, scene.maintenance().node()));
  }

  private static Mark annotationRefused(MaintenanceFacts maintenance) {
    for (ClientAnnotation each : ClientAnnotation.values()) {
      Optional<String> said = maintenance.annotation(each.annotation());
      Optional<String> kept = maintenance.condition(each.condition()).filter(each::isFinal);
      if (said.isPresent() && !each.allows(said.get())) {
        return refused(
            "IllegalValue",
            "%s=%s is none of %s"
                .formatted(each.annotation(), said.get(), String.join(", ", each.allowed())));
      }
      if (said.isPresent() && kept.isPresent() && !said.equals(kept)) {
        return refused(
            "FinalValueChanged",
            "%s=%s comes too late: it was %s, which is final"
                .formatted(each.annotation(), said.get(), kept.get()));
      }
    }
    return new Mark(ANNOTATION_REFUSED, MaintenanceNames.FALSE, "AnnotationsFine", "");
  }

  private static Mark refused(String reason, String message) {
    return new Mark(ANNOTATION_REFUSED, MaintenanceNames.TRUE, reason, message);
  }
}
