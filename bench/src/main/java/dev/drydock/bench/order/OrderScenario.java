package dev.drydock.bench.order;

import java.time.Duration;

/**
 * A cluster and its campaign.
 *
 * @param slots jobs that a node runs concurrently
 * @param maxUnavailable how many nodes may be out of service at once, as in a campaign's budget
 * @param work how long the work on an empty node takes
 */
public record OrderScenario(
    int nodes, int slots, String maxUnavailable, Duration work, Knowledge knowledge) {}
