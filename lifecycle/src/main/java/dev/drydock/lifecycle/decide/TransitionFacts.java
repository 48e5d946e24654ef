package dev.drydock.lifecycle.decide;

import java.time.Duration;
import java.util.Optional;

/** The facts about a LifecycleTransition that decisions need. */
public record TransitionFacts(
    LifecycleRef ref,
    String start,
    String end,
    NodeCoverage coverage,
    Optional<Duration> sla,
    String driver) {}
