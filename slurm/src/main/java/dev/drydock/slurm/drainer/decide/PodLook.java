package dev.drydock.slurm.drainer.decide;

import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.slurm.worker.decide.WorkerPod;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one look at a pod found.
 *
 * @param waitsFor why it may not be deleted yet; empty if it may
 */
public record PodLook(WorkerPod pod, String waitsFor) {
  static PodLook of(WorkerPod pod, UnreadyPods unready) {
    boolean ignored = unready == UnreadyPods.IGNORE && !pod.ready();
    boolean over = pod.isNotRunning() && pod.busy().isEmpty();
    return new PodLook(pod, pod.isDrained() || ignored || over ? "" : missing(pod));
  }

  boolean mayGo() {
    return waitsFor.isEmpty();
  }

  /** The condition by which the pod may be deleted. */
  String condition() {
    return pod.isDrained() ? SlurmNames.DRAIN + "=True" : "";
  }

  /** Why Slurm drained it, or why nobody asked Slurm. */
  String reason() {
    if (pod.isDrained()) {
      return pod.condition(SlurmNames.DRAIN).map(SlurmCondition::reason).orElse("");
    }
    return pod.isNotRunning() ? "Pod" + pod.phase() : "PodNotReady";
  }

  /** As people are told. */
  public String seen() {
    return condition().isEmpty()
        ? "%s: not running Slurm jobs (%s)".formatted(pod, reason())
        : "%s: %s (%s)".formatted(pod, condition(), reason());
  }

  private static String missing(WorkerPod pod) {
    String drain =
        switch (pod.condition(SlurmNames.DRAIN).map(SlurmCondition::status).orElse("")) {
          case "True" -> "";
          case "" -> SlurmNames.DRAIN + " not set";
          default -> SlurmNames.DRAIN + " " + status(pod);
        };
    String undrain = pod.is(SlurmNames.UNDRAIN) ? SlurmNames.UNDRAIN : "";
    String unready = pod.ready() ? "" : "not Ready";
    return Stream.concat(Stream.of(drain, undrain), pod.busy().stream())
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining(", "))
        + Optional.of(unready).filter(text -> !text.isEmpty()).map(", "::concat).orElse("")
        + pod.jobsEnd().map(end -> ", jobs until " + end).orElse("");
  }

  private static String status(WorkerPod pod) {
    return pod.condition(SlurmNames.DRAIN)
        .map(
            each ->
                each.message().isEmpty() ? each.status() : each.status() + ": " + each.message())
        .orElse("");
  }

  /** One line of the log. */
  @Override
  public String toString() {
    String state = pod.terminating() ? "terminating" : mayGo() ? "ready" : waitsFor;
    return pod + ": " + state;
  }
}
