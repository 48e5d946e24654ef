package dev.drydock.drain.request.decide;

import dev.drydock.drain.engine.decide.DrainPolicy;

import java.util.List;

/** What to do next about a DrainRequest. */
public sealed interface DrainRequestStep {
  /** It is another drainer's, or all is done. */
  record Leave() implements DrainRequestStep {}

  /** Write these finalizers, so that it cannot vanish while its node is held. */
  record Claim(List<String> finalizers) implements DrainRequestStep {}

  /** See that its node is drained so. */
  record Drain(DrainPolicy policy) implements DrainRequestStep {}

  /** It cannot be served as it stands. */
  record Reject(String why) implements DrainRequestStep {}

  /** End its drain, release its hold, then write these finalizers. */
  record Release(List<String> finalizers) implements DrainRequestStep {}
}
