package dev.drydock.slurm.bridge.decide;

import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerPod;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions of a worker have to say about Slurm. Only what Slurm said in its last answer
 * is True: without an answer nobody knows whether the worker is drained.
 */
public final class WorkerConditions {
  private static final String STATE = "SlurmNodeState";

  private WorkerConditions() {}

  /** The conditions of the pod that have to change, by type. */
  public static Map<String, SlurmCondition> changes(
      WorkerNode node, WorkerPod pod, SlurmView view) {
    Map<String, SlurmCondition> wanted =
        switch (view) {
          case SlurmView.Unknown(String why) -> unknown(node, pod, "SlurmUnreachable", why);
          case SlurmView.Seen seen -> seen(node, pod, seen.nodes().get(pod.slurmNode()));
        };
    Map<String, SlurmCondition> changes = new HashMap<>(wanted);
    changes.entrySet().removeIf(each -> each.getValue().equals(pod.states().get(each.getKey())));
    return changes;
  }

  private static Map<String, SlurmCondition> seen(
      WorkerNode node, WorkerPod pod, @Nullable SlurmNode slurm) {
    if (slurm == null) {
      return unknown(node, pod, "SlurmNodeUnknown", "Slurm has no node " + pod.slurmNode());
    }
    if (!slurm.isKnown()) {
      return unknown(
          node,
          pod,
          "SlurmStateUnknown",
          "Slurm says %s of node %s".formatted(String.join("+", slurm.states()), slurm.name()));
    }
    Map<String, SlurmCondition> wanted = new HashMap<>();
    pod.states().keySet().forEach(type -> wanted.put(type, new SlurmCondition("False", STATE, "")));
    slurm.states().forEach(state -> wanted.put(type(state), new SlurmCondition("True", STATE, "")));
    if (slurm.isDrain()) {
      wanted.put(SlurmNames.DRAIN, drained(node, slurm));
    }
    return wanted;
  }

  private static SlurmCondition drained(WorkerNode node, SlurmNode slurm) {
    return SlurmChangeDecider.isOurs(node, slurm)
        ? new SlurmCondition("True", "NodeCordoned", SlurmNames.OWN_DRAIN + " " + slurm.reason())
        : new SlurmCondition("True", "DrainedInSlurm", slurm.reason());
  }

  /** Said where somebody waits for it, or would take an old answer for a new one. */
  private static Map<String, SlurmCondition> unknown(
      WorkerNode node, WorkerPod pod, String reason, String why) {
    return node.cordonReason().isPresent() || pod.is(SlurmNames.DRAIN)
        ? Map.of(SlurmNames.DRAIN, new SlurmCondition("Unknown", reason, why))
        : Map.of();
  }

  /** {@code NOT_RESPONDING} is {@code SlurmNodeStateNotResponding}. */
  static String type(String state) {
    return Stream.of(state.split("_", -1))
        .filter(word -> !word.isEmpty())
        .map(
            word ->
                word.substring(0, 1).toUpperCase(Locale.ROOT)
                    + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("", SlurmNames.STATE_CONDITION, ""));
  }
}
