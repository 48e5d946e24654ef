package dev.drydock.drain.engine.decide;

import java.time.Instant;

/**
 * Decides how each pod is treated, for clients whose rules are more than {@link PolicyRule}s can
 * say. Must be pure: it is asked again at every look.
 */
@FunctionalInterface
public interface PodRulings {
  PodRuling of(PodFacts pod, Instant now);
}
