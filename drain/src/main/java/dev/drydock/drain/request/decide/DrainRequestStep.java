package dev.drydock.drain.request.decide;

import dev.drydock.drain.engine.decide.DrainPolicy;
import java.time.Instant;
import java.util.List;

/** The next step for a DrainRequest. */
public sealed interface DrainRequestStep {
  /**
   * It belongs to another drainer, or everything is done.
   *
   * @param until when nobody should be waited for any longer; {@link Instant#MAX} if that is no
   *     question
   */
  record Leave(Instant until) implements DrainRequestStep {}

  /** Say on it that nobody serves it, and why. */
  record SayWaiting(String why) implements DrainRequestStep {}

  /** Somebody serves it now: take that back. */
  record SayServed() implements DrainRequestStep {}

  /** Write these finalizers, so that it cannot vanish while its node is held. */
  record Claim(List<String> finalizers) implements DrainRequestStep {}

  /** Drain its node with this policy. */
  record Drain(DrainPolicy policy) implements DrainRequestStep {}

  /**
   * End the drain of an earlier spec.
   *
   * @param release whether to release its node, because the request names another one now
   */
  record EndDrain(boolean release) implements DrainRequestStep {}

  /** It cannot be served with this spec. */
  record Reject(String why) implements DrainRequestStep {}

  /** End its drain, release its hold, then write these finalizers. */
  record Release(List<String> finalizers) implements DrainRequestStep {}
}
