package dev.drydock.health.drainer.decide;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.drain.engine.decide.EvictionMode;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodDevices;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodRuling;
import dev.drydock.drain.engine.decide.PodRulings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What a drain's rules say about each pod. */
public record ModeRulings(DrainRules rules, DrainGoal goal) implements PodRulings {
  static final String OVERDUE = "not waiting for Pods whose deletion is overdue";
  static final String NOT_READY = "not waiting for Pods that have not been ready for long";

  /** What pods with a device request. */
  private static final Set<String> DEVICE_RESOURCES = Set.of("nvidia.com/gpu", "nvidia.com/pgpu");

  /** Why a pod is none of this drain's business. */
  public enum OutOfScope {
    NOTHING_LEFT,
    SYSTEM,
    DAEMON_SET,
    OTHER_DEVICE,
    NO_RULE
  }

  @Override
  public PodRuling of(PodFacts pod, Instant now) {
    if (outOfScope(pod).isPresent()) {
      return PodRuling.leave("");
    }
    if (isDeviceUnknown(pod)) {
      return PodRuling.refuse(
          "Pods whose devices are unknown: they request one, and have no readable annotation "
              + HealthNames.DEVICES_ANNOTATION);
    }
    return pod.deletion().isPresent()
        ? terminating(pod, pod.deletion().get(), now)
        : running(pod, now);
  }

  /** Whether a warning of the engine names pods that are still there after a drain. */
  public static boolean isAboutPodsLeft(String warning) {
    return warning.startsWith(OVERDUE) || warning.startsWith(NOT_READY);
  }

  /** Empty if it is to go. */
  public Optional<OutOfScope> outOfScope(PodFacts pod) {
    if (pod.finished()) {
      return Optional.of(OutOfScope.NOTHING_LEFT);
    }
    if (rules.isSystem(pod.ref().namespace())) {
      return Optional.of(OutOfScope.SYSTEM);
    }
    if (pod.controller().filter(Owner::isDaemonSet).isPresent() || pod.isMirror()) {
      return Optional.of(OutOfScope.DAEMON_SET);
    }
    if (hasOtherDevices(pod)) {
      return Optional.of(OutOfScope.OTHER_DEVICE);
    }
    return rules.ruleFor(pod).isEmpty() ? Optional.of(OutOfScope.NO_RULE) : Optional.empty();
  }

  /** Empty if it is none of this drain's business. */
  public Optional<DrainMode> mode(PodFacts pod) {
    return outOfScope(pod).isPresent()
        ? Optional.empty()
        : rules.ruleFor(pod).map(rule -> goal.forced() ? DrainMode.IMMEDIATE : rule.mode());
  }

  private boolean hasOtherDevices(PodFacts pod) {
    if (goal.scope() instanceof DrainScope.Device device) {
      boolean known = pod.devices().filter(PodDevices::known).isPresent();
      boolean other =
          pod.devices().filter(each -> !each.ids().contains(device.value())).isPresent();
      return known ? other : !requestsDevice(pod);
    }
    return rules.devicesOnly() && pod.devices().isEmpty();
  }

  private boolean isDeviceUnknown(PodFacts pod) {
    return goal.scope() instanceof DrainScope.Device
        && pod.devices().filter(PodDevices::known).isEmpty();
  }

  private static boolean requestsDevice(PodFacts pod) {
    return pod.reduced() || pod.resources().stream().anyMatch(DEVICE_RESOURCES::contains);
  }

  private PodRuling terminating(PodFacts pod, PodFacts.Deletion deletion, Instant now) {
    PodRuling going = PodRuling.of(new EvictionMode.EvictNow());
    if (rules.stuckPods() != StuckPods.LEAVE) {
      return going;
    }
    Instant stuck = deletion.ends().plus(pod.terminationGrace());
    return now.isBefore(stuck) ? going.until(stuck) : PodRuling.leave(OVERDUE);
  }

  private PodRuling running(PodFacts pod, Instant now) {
    return switch (mode(pod).orElseThrow()) {
      case IMMEDIATE -> evict();
      case DELETE_AFTER_TIMEOUT -> {
        Instant deletion = goal.since().plus(rules.deleteAfter());
        yield now.isBefore(deletion) ? unlessStuck(delete(deletion), pod, now) : delete(deletion);
      }
      case ALLOW_COMPLETION -> {
        Duration most = rules.allowCompletionMax();
        Instant end = most.isZero() ? Instant.MAX : goal.since().plus(most);
        PodRuling wait = PodRuling.of(new EvictionMode.LetFinish());
        yield now.isBefore(end)
            ? unlessStuck(most.isZero() ? wait : wait.until(end), pod, now)
            : evict();
      }
    };
  }

  private PodRuling evict() {
    return PodRuling.of(new EvictionMode.EvictNow(), rules.evictionTimeout());
  }

  private static PodRuling delete(Instant at) {
    return PodRuling.of(new EvictionMode.DeleteAt(at), Duration.ZERO);
  }

  /** A pod that cannot complete any more is not waited for. */
  private PodRuling unlessStuck(PodRuling waiting, PodFacts pod, Instant now) {
    if (pod.notReadySince().isEmpty() || rules.stuckPods() == StuckPods.WAIT) {
      return waiting;
    }
    Instant stuck = pod.notReadySince().get().plus(rules.notReadyTimeout());
    if (now.isBefore(stuck)) {
      return waiting.until(stuck);
    }
    return rules.stuckPods() == StuckPods.LEAVE ? PodRuling.leave(NOT_READY) : delete(stuck);
  }
}
