package dev.drydock.maintenance.decide.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Validates a new NotifyMaintenance against the state of the cluster. */
public final class AdmissionDecider {
  private AdmissionDecider() {}

  /**
   * The objects that a new NotifyMaintenance refers to.
   *
   * @param ofCampaign whether a campaign makes it, for whose ID anybody could make another
   *     beforehand, in a namespace of their own
   */
  public record Candidate(
      String namespace,
      String node,
      String maintenanceID,
      Optional<String> metadataConfigmap,
      Optional<String> maintenanceClass,
      boolean ofCampaign) {
    boolean isHeldUpBy(String other) {
      return !ofCampaign || other.startsWith(namespace + "/");
    }
  }

  /**
   * The lookup results.
   *
   * @param sameTask namespace/name of those that have the same ID on the same node
   */
  public record Found(
      boolean node, boolean metadataConfigmap, boolean maintenanceClass, List<String> sameTask) {}

  /** A line for each field without which nothing can be looked up; empty if none is missing. */
  public static List<String> missing(Candidate candidate) {
    List<String> missing = new ArrayList<>();
    if (candidate.node().isEmpty()) {
      missing.add("spec.nodeObject: it is required; name the node");
    }
    if (candidate.maintenanceID().isEmpty()) {
      missing.add("spec.maintenanceID: it is required; write the ID of the task");
    }
    return missing;
  }

  /** A line for each invalid field, with what to do; empty if it may be created. */
  public static List<String> refusals(Candidate candidate, Found found) {
    List<String> refusals = new ArrayList<>();
    if (!found.node()) {
      refusals.add(
          "spec.nodeObject: node \"%s\" does not exist; see 'kubectl get nodes'"
              .formatted(candidate.node()));
    }
    found.sameTask().stream()
        .filter(candidate::isHeldUpBy)
        .findFirst()
        .ifPresent(
            other ->
                refusals.add(
                    "spec.maintenanceID: NotifyMaintenance %s has the ID \"%s\" on node \"%s\" already;"
                            .formatted(other, candidate.maintenanceID(), candidate.node())
                        + " use another ID, or delete that one first"));
    if (candidate.metadataConfigmap().isPresent() && !found.metadataConfigmap()) {
      refusals.add(
          "spec.metadataConfigmap: ConfigMap \"%s\" does not exist in namespace \"%s\";"
                  .formatted(candidate.metadataConfigmap().get(), candidate.namespace())
              + " create it first, or leave the field out");
    }
    if (candidate.maintenanceClass().isPresent() && !found.maintenanceClass()) {
      refusals.add(
          "spec.maintenanceClass: MaintenanceClass \"%s\" does not exist;"
                  .formatted(candidate.maintenanceClass().get())
              + " create it first, or leave the field out");
    }
    return refusals;
  }
}
