package dev.drydock.simulate.fleet;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Equal pods and their controller.
 *
 * @param replicas the desired number; a DaemonSet has one per node instead
 * @param where on which nodes they may run
 * @param times how long they take
 * @param traits what makes them hard to move
 */
public record Workload(
    String namespace,
    String name,
    Kind kind,
    int replicas,
    Map<String, String> labels,
    Map<String, String> requests,
    Where where,
    Times times,
    Traits traits) {

  /** The kind of controller. */
  public enum Kind {
    Deployment,
    StatefulSet,
    DaemonSet,
    Job,
    /** No controller: deleted pods are lost. */
    Bare
  }

  /**
   * The allowed nodes.
   *
   * @param pools any of these; empty for all. Their taints are tolerated
   * @param selectors any of these label selectors; empty for all
   * @param placed how many run on which node at the start; the others are scheduled
   */
  public record Where(
      List<String> pools,
      List<String> selectors,
      List<Toleration> tolerations,
      Map<String, Integer> placed) {
    public static final Where ANYWHERE = new Where(List.of(), List.of(), List.of(), Map.of());

    public Where {
      pools = List.copyOf(pools);
      selectors = List.copyOf(selectors);
      tolerations = List.copyOf(tolerations);
    }
  }

  /**
   * Each a duration, or a range from which every pod has its own.
   *
   * @param starts from its start until it is ready
   * @param stops from its deletion until it is gone; also {@code grace} or {@code never}
   * @param runs until it finishes; empty for forever
   * @param grace the grace period
   */
  public record Times(String starts, String stops, String runs, Duration grace) {
    public static final String STARTS = "5s";
    public static final String STOPS = "2s";
    public static final String ALL_OF_ITS_GRACE = "grace";
    public static final String NEVER = "never";
    public static final Duration GRACE = Duration.ofSeconds(30);
    public static final Times DEFAULT = new Times(STARTS, STOPS, "", GRACE);

    /** The end of a range, or the duration itself; empty for words. */
    public static Duration longest(String span) {
      return GoDuration.find(
              span.substring(span.lastIndexOf("..") < 0 ? 0 : span.lastIndexOf("..") + 2))
          .orElse(Duration.ZERO);
    }
  }

  /**
   * What makes pods hard to move.
   *
   * @param pinned each has a controller whose template names its node
   * @param emptyDir they have an emptyDir volume
   * @param unready how many of them never become ready
   */
  public record Traits(int priority, boolean pinned, boolean emptyDir, int unready) {
    public static final Traits NONE = new Traits(0, false, false, 0);
  }

  public Workload {
    labels = Map.copyOf(labels);
    requests = Map.copyOf(requests);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
