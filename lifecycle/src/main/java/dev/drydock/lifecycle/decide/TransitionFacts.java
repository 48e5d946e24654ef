package dev.drydock.lifecycle.decide;

import java.time.Duration;
import java.util.Optional;

/** What decisions need of a LifecycleTransition. */
public record TransitionFacts(
    LifecycleRef ref,
    String start,
    String end,
    NodeCoverage coverage,
    Optional<Duration> sla,
    String driver) {}
