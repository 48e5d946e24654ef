package dev.drydock.drain.engine.decide;

import dev.drydock.drain.hold.decide.NodeFacts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one pod that a drain needs. Built with {@link #named}; the defaults are those of
 * a plain running pod. Times that its owner wrote are bounded.
 *
 * @param deletion present if the pod is terminating
 * @param daemonSet meaningful only if the controller is a DaemonSet
 * @param mirror it is annotated as the image of a static pod, which anybody may do
 * @param pinned its controller's template sets {@code spec.nodeName}, or has put replacements on
 *     this node again and again: another one runs here regardless of cordon
 * @param announcedEnd when its work should have ended, according to its workload manager
 * @param finishedAt when it finished, if it did
 * @param resources the extended resources that its containers request
 * @param notReadySince since when its Ready condition is False
 * @param devices absent if it has no annotation about them
 * @param reduced its labels and resources are too large to be kept, so it may be meant by every
 *     selector; only the API server knows its budgets
 */
public record PodFacts(
    PodRef ref,
    String nodeName,
    Map<String, String> labels,
    Phase phase,
    boolean ready,
    Optional<Deletion> deletion,
    List<String> finalizers,
    Optional<Owner> controller,
    DaemonSetLookup daemonSet,
    boolean mirror,
    boolean pinned,
    boolean emptyDir,
    int priority,
    Duration terminationGrace,
    Instant created,
    Optional<Instant> started,
    Optional<Duration> activeDeadline,
    Optional<Instant> announcedEnd,
    Optional<Instant> finishedAt,
    Set<String> resources,
    Optional<Instant> notReadySince,
    Optional<PodDevices> devices,
    boolean reduced) {

  /** The phases of a pod. */
  public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN
  }

  /**
   * An accepted deletion.
   *
   * @param ends the deletion timestamp: the END of the grace period
   * @param grace the granted grace period
   */
  public record Deletion(Instant ends, Duration grace) {}

  public PodFacts {
    labels = Map.copyOf(labels);
    finalizers = List.copyOf(finalizers);
    resources = Set.copyOf(resources);
  }

  public static Builder named(String namespace, String name, String uid) {
    return new Builder(new PodRef(namespace, name, uid));
  }

  public String uid() {
    return ref.uid();
  }

  public boolean terminating() {
    return deletion.isPresent();
  }

  public boolean finished() {
    return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
  }

  /**
   * Whether its containers have ended and only a finalizer keeps the object. Its kubelet writes the
   * final phase when no container runs any more.
   */
  boolean isKeptByFinalizer(Instant now) {
    return finished()
        && !finalizers.isEmpty()
        && deletion.filter(accepted -> !now.isBefore(accepted.ends())).isPresent();
  }

  /** The eviction API checks no budget for these pods, because they are not running. */
  boolean outsideBudgets() {
    return phase == Phase.PENDING || finished() || terminating();
  }

  /** A pod that its controller recreates on this node, cordoned or not. */
  boolean returnsToNode() {
    boolean ofDaemonSet = controller.filter(Owner::isDaemonSet).isPresent();
    return !finished() && (pinned || (ofDaemonSet && !orphanOfDaemonSet()));
  }

  /**
   * Whether it may have arrived after that time. Creation times are whole seconds, so a pod of the
   * same second counts: otherwise an endless delete loop could start.
   */
  public boolean mayHaveComeAfter(Instant time) {
    return !created.isBefore(time.truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * Its controller, if that created it after the time. Not in the same second: then it may have
   * been there before.
   */
  public Optional<Owner> ownerSince(Instant time) {
    return created.isAfter(time) ? controller : Optional.empty();
  }

  /**
   * Whether it shows a static pod of this node. Anybody may annotate a pod as one; the kubelet also
   * makes the Node its controller. An owner that does not exist ends a pod.
   */
  boolean isMirrorOf(NodeFacts node) {
    return mirror && controller.filter(owner -> owner.isNode(node)).isPresent();
  }

  /** The same where the node's UID is not known. */
  public boolean isMirror() {
    return isMirrorOf(NodeFacts.cordoned(nodeName));
  }

  private boolean orphanOfDaemonSet() {
    return daemonSet instanceof DaemonSetLookup.Missing;
  }

  /** When its work ends at the latest: by the pod's own deadline, or as was announced for it. */
  public Optional<Instant> endsBy() {
    return Stream.of(started.flatMap(start -> activeDeadline.map(start::plus)), announcedEnd)
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  public Builder toBuilder() {
    Builder copy = new Builder(ref);
    copy.nodeName = nodeName;
    copy.labels = labels;
    copy.phase = phase;
    copy.ready = ready;
    copy.deletion = deletion.orElse(null);
    copy.finalizers = finalizers;
    copy.controller = controller.orElse(null);
    copy.daemonSet = daemonSet;
    copy.mirror = mirror;
    copy.pinned = pinned;
    copy.emptyDir = emptyDir;
    copy.priority = priority;
    copy.terminationGrace = terminationGrace;
    copy.created = created;
    copy.started = started.orElse(null);
    copy.activeDeadline = activeDeadline.orElse(null);
    copy.announcedEnd = announcedEnd.orElse(null);
    copy.finishedAt = finishedAt.orElse(null);
    copy.resources = resources;
    copy.reduced = reduced;
    copy.notReadySince = notReadySince.orElse(null);
    copy.devices = devices.orElse(null);
    return copy;
  }

  /** Collects facts; starts from a ready, running pod without a controller. */
  public static final class Builder {
    private final PodRef ref;
    private String nodeName = "";
    private Map<String, String> labels = Map.of();
    private Phase phase = Phase.RUNNING;
    private boolean ready = true;
    private @Nullable Deletion deletion;
    private List<String> finalizers = List.of();
    private @Nullable Owner controller;
    private DaemonSetLookup daemonSet = new DaemonSetLookup.NotADaemonSet();
    private boolean mirror;
    private boolean pinned;
    private boolean emptyDir;
    private int priority;
    private Duration terminationGrace = Duration.ofSeconds(30);
    private Instant created = Instant.EPOCH;
    private @Nullable Instant started;
    private @Nullable Duration activeDeadline;
    private @Nullable Instant announcedEnd;
    private @Nullable Instant finishedAt;
    private Set<String> resources = Set.of();
    private boolean reduced;
    private @Nullable Instant notReadySince;
    private @Nullable PodDevices devices;

    private Builder(PodRef ref) {
      this.ref = ref;
    }

    public Builder on(String node) {
      nodeName = node;
      return this;
    }

    public Builder labels(Map<String, String> values) {
      labels = values;
      return this;
    }

    public Builder phase(Phase value) {
      phase = value;
      return this;
    }

    public Builder ready(boolean value) {
      ready = value;
      return this;
    }

    public Builder terminating(Instant ends, Duration grace) {
      deletion = new Deletion(ends, LongestTime.bound(grace));
      return this;
    }

    public Builder finalizers(List<String> names) {
      finalizers = names;
      return this;
    }

    public Builder controller(Owner owner) {
      controller = owner;
      return this;
    }

    public Builder daemonSet(DaemonSetLookup result) {
      daemonSet = result;
      return this;
    }

    public Builder mirror(boolean value) {
      mirror = value;
      return this;
    }

    public Builder pinned(boolean value) {
      pinned = value;
      return this;
    }

    public Builder emptyDir(boolean value) {
      emptyDir = value;
      return this;
    }

    public Builder priority(int value) {
      priority = value;
      return this;
    }

    public Builder terminationGrace(Duration value) {
      terminationGrace = LongestTime.bound(value);
      return this;
    }

    public Builder created(Instant value) {
      created = value;
      return this;
    }

    public Builder started(Instant value) {
      started = value;
      return this;
    }

    public Builder activeDeadline(Duration value) {
      activeDeadline = LongestTime.bound(value);
      return this;
    }

    public Builder announcedEnd(Instant value) {
      announcedEnd = LongestTime.bound(value);
      return this;
    }

    public Builder finishedAt(Instant value) {
      finishedAt = value;
      return this;
    }

    public Builder resources(Set<String> names) {
      resources = names;
      return this;
    }

    public Builder reduced(boolean value) {
      reduced = value;
      return this;
    }

    public Builder notReadySince(Instant value) {
      notReadySince = value;
      return this;
    }

    public Builder devices(PodDevices value) {
      devices = value;
      return this;
    }

    public PodFacts build() {
      return new PodFacts(
          ref,
          nodeName,
          labels,
          phase,
          ready,
          Optional.ofNullable(deletion),
          finalizers,
          Optional.ofNullable(controller),
          daemonSet,
          mirror,
          pinned,
          emptyDir,
          priority,
          terminationGrace,
          created,
          Optional.ofNullable(started),
          Optional.ofNullable(activeDeadline),
          Optional.ofNullable(announcedEnd),
          Optional.ofNullable(finishedAt),
          resources,
          Optional.ofNullable(notReadySince),
          Optional.ofNullable(devices),
          reduced);
    }
  }
}
