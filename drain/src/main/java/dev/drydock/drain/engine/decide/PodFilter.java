package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.Verdict.Filter;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.drain.hold.decide.NodeWork;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which pods a drain takes: the filters of {@code kubectl drain}, in its order. The first filter
 * that skips or refuses a pod decides; of several warnings the last one is kept.
 *
 * <p>Four filters precede them: the pod selector, which kubectl applies when it lists, the resource
 * that pods request, rules that leave pods alone, and the Job that works on the node for one who
 * holds it.
 */
final class PodFilter {
  /** Null means no objection and no message. */
  private interface Question {
    @Nullable Verdict ask(PodFacts pod);
  }

  private final DrainPolicy policy;
  private final NodeFacts node;
  private final boolean forced;
  private final Instant now;
  private final List<Question> questions =
      List.of(
          this::selected,
          this::requesting,
          this::ruled,
          this::working,
          this::longDeleted,
          this::ended,
          this::daemonSet,
          this::mirror,
          this::localStorage,
          this::unmanaged);

  /**
   * @param forced whether the time has passed after which no single pod holds up a drain
   */
  PodFilter(DrainPolicy policy, NodeFacts node, boolean forced, Instant now) {
    this.policy = policy;
    this.node = node;
    this.forced = forced;
    this.now = now;
  }

  Verdict verdict(PodFacts pod) {
    Verdict last = Verdict.goes(Filter.UNMANAGED, "");
    for (Question question : questions) {
      Verdict answer = question.ask(pod);
      if (answer == null) {
        continue;
      }
      if (!answer.goes()) {
        return answer;
      }
      last = answer;
    }
    return last;
  }

  /**
   * When {@link #verdict} starts to skip a terminating pod. kubectl compares whole seconds, so the
   * pod must be overdue by a full second more than the given time.
   */
  static Instant skippedFrom(Instant deletionEnds, Duration skipWait) {
    return deletionEnds.plusSeconds(skipWait.toSeconds() + 1);
  }

  private @Nullable Verdict working(PodFacts pod) {
    if (node.works().isEmpty() || pod.finished()) {
      return null;
    }
    return node.works().stream()
        .filter(work -> isOf(pod, work))
        .findFirst()
        .map(Verdict::works)
        .orElse(null);
  }

  /** Decides by namespace, exact name and UID, and not by what a tenant may write on a pod. */
  private static boolean isOf(PodFacts pod, NodeWork work) {
    return pod.ref().namespace().equals(work.namespace())
        && pod.controller()
            .filter(Owner::isJob)
            .filter(owner -> owner.name().equals(work.job()))
            .filter(owner -> work.uid().isEmpty() || owner.uid().equals(work.uid()))
            .isPresent();
  }

  private @Nullable Verdict selected(PodFacts pod) {
    return pod.reduced() || policy.podSelector().matches(pod.labels())
        ? null
        : Verdict.stays(Filter.POD_SELECTOR, "");
  }

  private @Nullable Verdict requesting(PodFacts pod) {
    boolean requested =
        pod.reduced()
            || policy.requestsResource().filter(n -> !pod.resources().contains(n)).isEmpty();
    return !requested ? Verdict.stays(Filter.RESOURCE, "") : null;
  }

  private @Nullable Verdict ruled(PodFacts pod) {
    PodRuling ruling = policy.rulingFor(pod, now);
    if (ruling.refusal().isPresent()) {
      return Verdict.refused(Filter.RULE, ruling.refusal().get());
    }
    return ruling.rule().mode() instanceof EvictionMode.LeaveAlone
        ? Verdict.stays(Filter.RULE, ruling.note())
        : null;
  }

  private @Nullable Verdict longDeleted(PodFacts pod) {
    if (policy.skipWait().isEmpty() || pod.deletion().isEmpty()) {
      return null;
    }
    Instant from = skippedFrom(pod.deletion().get().ends(), policy.skipWait().get());
    return now.isBefore(from) ? null : Verdict.stays(Filter.SKIP_DELETED, "");
  }

  /** Whoever may write a finalizer on a pod would otherwise keep the node from being drained. */
  private @Nullable Verdict ended(PodFacts pod) {
    return forced && pod.isKeptByFinalizer(now) ? Verdict.stays(Filter.ENDED, Verdict.ENDED) : null;
  }

  private @Nullable Verdict daemonSet(PodFacts pod) {
    Owner owner = pod.controller().filter(Owner::isDaemonSet).orElse(null);
    if (owner == null || pod.finished()) {
      return null;
    }
    return switch (pod.daemonSet()) {
      case DaemonSetLookup.Exists() -> ofLiveDaemonSet();
      case DaemonSetLookup.Missing() ->
          policy.force()
              ? Verdict.goes(Filter.DAEMON_SET, Verdict.DAEMON_SET_GONE)
              : Verdict.refused(
                  Filter.DAEMON_SET,
                  "Pods whose DaemonSet is gone (use --force to override): daemonset \""
                      + owner.name()
                      + "\" not found");
      case DaemonSetLookup.Failed(String reason) -> daemonSetUnknown(owner, reason);
      case DaemonSetLookup.NotADaemonSet() -> daemonSetUnknown(owner, "not looked up yet");
    };
  }

  private Verdict ofLiveDaemonSet() {
    return switch (policy.daemonSets()) {
      case REFUSE ->
          Verdict.refused(
              Filter.DAEMON_SET, "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)");
      case IGNORE -> Verdict.stays(Filter.DAEMON_SET, Verdict.DAEMON_SET_IGNORED);
      case LAST -> Verdict.goes(Filter.DAEMON_SET, Verdict.DAEMON_SET_LAST);
    };
  }

  private static Verdict daemonSetUnknown(Owner owner, String reason) {
    return Verdict.refused(
        Filter.DAEMON_SET,
        "Pods whose DaemonSet is unknown: daemonset \"" + owner.name() + "\": " + reason);
  }

  /** Stricter than kubectl, for which the annotation is enough: a tenant could hide pods by it. */
  private @Nullable Verdict mirror(PodFacts pod) {
    return pod.isMirrorOf(node) ? Verdict.stays(Filter.MIRROR, "") : null;
  }

  private @Nullable Verdict localStorage(PodFacts pod) {
    if (!pod.emptyDir() || pod.finished()) {
      return null;
    }
    return policy.emptyDirDataMayGo()
        ? Verdict.goes(Filter.LOCAL_STORAGE, Verdict.LOCAL_STORAGE_GOES)
        : Verdict.refused(
            Filter.LOCAL_STORAGE,
            "Pods with local storage (use --delete-emptydir-data to override)");
  }

  private @Nullable Verdict unmanaged(PodFacts pod) {
    if (pod.controller().isPresent() || pod.finished()) {
      return null;
    }
    return policy.force()
        ? Verdict.goes(Filter.UNMANAGED, Verdict.UNMANAGED_GOES)
        : Verdict.refused(
            Filter.UNMANAGED, "Pods that declare no controller (use --force to override)");
  }
}
