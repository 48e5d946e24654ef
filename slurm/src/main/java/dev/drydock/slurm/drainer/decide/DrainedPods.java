package dev.drydock.slurm.drainer.decide;

import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import dev.drydock.slurm.worker.decide.WorkerPod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a DrainRequest's status records about pods. */
final class DrainedPods {
  private DrainedPods() {}

  /** The records of pods that are about to be deleted. */
  static List<DrainedPod> seen(List<PodLook> looks, Instant now) {
    return looks.stream()
        .map(
            look ->
                new DrainedPod(
                    look.pod().namespace(),
                    look.pod().name(),
                    look.pod().uid(),
                    absentIfEmpty(look.condition()),
                    absentIfEmpty(look.reason()),
                    text(now),
                    look.pod().terminating() ? text(now) : null,
                    null))
        .toList();
  }

  /** The records, completed by what has become of the pods. */
  static List<DrainedPod> updated(List<DrainedPod> records, List<WorkerPod> pods, Instant now) {
    Map<String, WorkerPod> present =
        pods.stream().collect(Collectors.toMap(WorkerPod::uid, Function.identity()));
    return records.stream().map(each -> updated(each, present.get(each.uid()), now)).toList();
  }

  private static DrainedPod updated(DrainedPod pod, @Nullable WorkerPod present, Instant now) {
    boolean deleted = present != null && present.terminating();
    return new DrainedPod(
        pod.namespace(),
        pod.name(),
        pod.uid(),
        pod.condition(),
        pod.reason(),
        pod.seenAt(),
        pod.deletedAt() == null && deleted ? text(now) : pod.deletedAt(),
        pod.goneAt() == null && present == null ? text(now) : pod.goneAt());
  }

  private static @Nullable String absentIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String text(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
