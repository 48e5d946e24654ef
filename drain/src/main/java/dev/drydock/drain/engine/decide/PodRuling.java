package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one pod is treated now.
 *
 * @param refusal why it must not be touched; then no pod of the node is
 * @param note why it is left alone, for people; empty if that needs no word
 * @param until when the ruling may change by time alone
 */
public record PodRuling(
    PolicyRule rule, Optional<String> refusal, String note, Optional<Instant> until) {
  private static PodRuling of(PolicyRule rule, Optional<String> refusal, String note) {
    return new PodRuling(rule, refusal, note, Optional.empty());
  }

  static PodRuling of(PolicyRule rule) {
    return of(rule, Optional.empty(), "");
  }

  public static PodRuling of(EvictionMode mode) {
    return of(PolicyRule.of(PolicyRule.Match.ANY, mode));
  }

  /** With a grace period that overrides the pod's own. */
  public static PodRuling of(EvictionMode mode, Duration grace) {
    return of(new PolicyRule(PolicyRule.Match.ANY, mode, 0, Optional.of(grace)));
  }

  public static PodRuling leave(String note) {
    return of(
        PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.LeaveAlone()), Optional.empty(), note);
  }

  /**
   * Must not be touched.
   *
   * @param what the pods that must not be touched, in the plural, and why
   */
  public static PodRuling refuse(String what) {
    return of(
        PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.EvictNow()), Optional.of(what), "");
  }

  public PodRuling until(Instant time) {
    return new PodRuling(
        rule, refusal, note, until.filter(time::isAfter).or(() -> Optional.of(time)));
  }
}
