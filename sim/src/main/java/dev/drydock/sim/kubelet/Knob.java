package dev.drydock.sim.kubelet;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The settings of simulated kubelets, each an annotation {@code sim.drydock.dev/...}.
 *
 * <p>A pod's knob is read from the Pod, then from its Node, then from the fleet's defaults ({@link
 * KubeletKnobs}). A change takes effect at once. A malformed value is reported by a Warning Event
 * on the object and otherwise ignored.
 */
public enum Knob {
  /**
   * How long after its containers started a pod becomes Ready (it is Running at once); default 0s.
   */
  READY_AFTER("ready-after", Kind.DURATION, true),

  /**
   * How long a deleted pod takes to stop, at most its grace period; {@code grace} uses all of it;
   * default 0s.
   */
  STOP_AFTER("stop-after", Kind.DURATION_OR_GRACE, true),

  /**
   * {@code true}: a deleted pod does not stop, even after its grace period, until the annotation is
   * removed.
   */
  REFUSE_STOP("refuse-stop", Kind.FLAG, true),

  /** How long after its containers started a pod becomes Succeeded; by default it runs forever. */
  COMPLETE_AFTER("complete-after", Kind.DURATION, true),

  /** {@code true}: a pod is Running but not Ready, until the annotation is removed. */
  NEVER_READY("never-ready", Kind.FLAG, true),

  /**
   * {@code true} on a Node: no heartbeats and no work on its pods, until the annotation is removed.
   */
  SILENT("silent", Kind.FLAG, false),

  /**
   * Any new value on a Node reboots it: it becomes NotReady, then Ready with a new boot ID and
   * restarted containers.
   */
  REBOOT("reboot", Kind.TEXT, false),

  /** How long a reboot of the Node takes; default 5s. */
  REBOOT_TAKES("reboot-takes", Kind.DURATION, false);

  /** The value of {@link #STOP_AFTER} besides a duration. */
  public static final String GRACE = "grace";

  private static final String RANGE = "..";

  static final String PREFIX = "sim.drydock.dev/";

  private enum Kind {
    DURATION,
    DURATION_OR_GRACE,
    FLAG,
    TEXT
  }

  private final String annotation;
  private final Kind kind;
  private final boolean forPods;

  Knob(String name, Kind kind, boolean forPods) {
    this.annotation = PREFIX + name;
    this.kind = kind;
    this.forPods = forPods;
  }

  /** The annotation's full name. */
  public String annotation() {
    return annotation;
  }

  /** Whether it is allowed on Pods; every knob is allowed on Nodes. */
  boolean forPods() {
    return forPods;
  }

  static Optional<Knob> ofAnnotation(String annotation) {
    return Arrays.stream(values()).filter(knob -> knob.annotation.equals(annotation)).findFirst();
  }

  /** What is wrong with a value, or null. */
  @Nullable String problemWith(String value) {
    return switch (kind) {
      case TEXT -> null;
      case FLAG ->
          value.equals("true") || value.equals("false")
              ? null
              : "is neither \"true\" nor \"false\"";
      case DURATION -> isTime(value) ? null : "is not a duration; write it like 500ms, 2s or 1m30s";
      case DURATION_OR_GRACE ->
          value.equals(GRACE) || isTime(value)
              ? null
              : "is neither \"grace\" nor a duration; write it like 500ms, 2s or 1m30s";
    };
  }

  /** A duration, or for pods a range such as {@code 5s..1m}. */
  private boolean isTime(String value) {
    if (!isRange(value)) {
      return GoDuration.find(value).isPresent();
    }
    Duration least = least(value);
    Duration most = most(value);
    return forPods && least != null && most != null && least.compareTo(most) <= 0;
  }

  static boolean isRange(String value) {
    return value.contains(RANGE);
  }

  /** A duration within the range, always the same for the same pod; other values unchanged. */
  String draw(String value, String podUid) {
    boolean drawn = forPods && isRange(value);
    Duration least = drawn ? least(value) : null;
    Duration most = drawn ? most(value) : null;
    if (least == null || most == null) {
      return value;
    }
    long spread = most.minus(least).toMillis() + 1;
    long more =
        new SplittableRandom(31L * podUid.hashCode() + annotation.hashCode()).nextLong(spread);
    return least.toMillis() + more + "ms";
  }

  private static @Nullable Duration least(String range) {
    return GoDuration.find(range.substring(0, range.indexOf(RANGE))).orElse(null);
  }

  private static @Nullable Duration most(String range) {
    return GoDuration.find(range.substring(range.indexOf(RANGE) + RANGE.length())).orElse(null);
  }
}
