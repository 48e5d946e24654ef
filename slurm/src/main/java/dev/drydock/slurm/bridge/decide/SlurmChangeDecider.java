package dev.drydock.slurm.bridge.decide;

import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerNode.DrainRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Drains a Node's workers in Slurm while the Node has the cordon-reason annotation, and resumes
 * what it drained when the annotation is gone. A drain that has another reason than the one written
 * down on the Node is somebody else's, and stays.
 */
public final class SlurmChangeDecider {
  /** Slurm prints reasons in one line of a table. */
  private static final int LONGEST_REASON = 512;

  private static final DrainRecord NONE = new DrainRecord(List.of(), "");

  private SlurmChangeDecider() {}

  /**
   * Decides about a Node.
   *
   * @param workers the names of its workers in Slurm
   * @param stopped why nothing new may begin, if so
   */
  public static SlurmChange decide(
      WorkerNode node, List<String> workers, SlurmView view, Optional<String> stopped) {
    if (!(view instanceof SlurmView.Seen seen)) {
      return new SlurmChange.None();
    }
    if (node.cordonReason().isEmpty()) {
      return resume(node, seen);
    }
    List<SlurmNode> open = known(workers, seen).stream().filter(each -> !each.isDrain()).toList();
    if (open.isEmpty()) {
      return new SlurmChange.None();
    }
    return stopped
        .<SlurmChange>map(SlurmChange.Wait::new)
        .orElseGet(() -> drain(node, open.stream().map(SlurmNode::name).toList(), seen));
  }

  private static List<SlurmNode> known(List<String> names, SlurmView.Seen seen) {
    return names.stream()
        .flatMap(name -> Optional.ofNullable(seen.nodes().get(name)).stream())
        .toList();
  }

  private static SlurmChange drain(WorkerNode node, List<String> open, SlurmView.Seen seen) {
    List<String> ours = ours(node, seen);
    DrainRecord wanted =
        new DrainRecord(
            Stream.concat(ours.stream(), open.stream()).distinct().sorted().toList(),
            // another reason would make those that are drained already look like somebody else's
            ours.isEmpty() ? reason(node.cordonReason().orElseThrow()) : record(node).reason());
    return node.drainRecord().filter(wanted::equals).isPresent()
        ? new SlurmChange.Drain(open, wanted.reason())
        : new SlurmChange.Announce(wanted);
  }

  private static SlurmChange resume(WorkerNode node, SlurmView.Seen seen) {
    if (node.drainRecord().isEmpty()) {
      return new SlurmChange.None();
    }
    List<String> ours = ours(node, seen);
    return ours.isEmpty() ? new SlurmChange.Forget() : new SlurmChange.Resume(ours);
  }

  private static DrainRecord record(WorkerNode node) {
    return node.drainRecord().orElse(NONE);
  }

  /** What was drained here and still is. */
  private static List<String> ours(WorkerNode node, SlurmView.Seen seen) {
    return known(record(node).workers(), seen).stream()
        .filter(each -> isOurs(node, each))
        .map(SlurmNode::name)
        .toList();
  }

  /** Whether the drain was made here. */
  static boolean isOurs(WorkerNode node, SlurmNode slurm) {
    DrainRecord made = record(node);
    return slurm.isDrain()
        && made.workers().contains(slurm.name())
        && made.reason().equals(slurm.reason());
  }

  /** The reason in one line, as Slurm gives it back. */
  static String reason(String annotation) {
    String line = annotation.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    String text = line.isEmpty() ? "drained for Kubernetes" : line;
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON);
  }
}
