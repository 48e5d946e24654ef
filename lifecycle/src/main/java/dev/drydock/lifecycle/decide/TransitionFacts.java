package dev.drydock.lifecycle.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * The facts about a LifecycleTransition that decisions need.
 *
 * @param deleting it has a deletionTimestamp, but a finalizer keeps it
 */
public record TransitionFacts(
    LifecycleRef ref,
    String uid,
    boolean deleting,
    String start,
    String end,
    NodeCoverage coverage,
    Optional<Duration> sla,
    String driver) {}
