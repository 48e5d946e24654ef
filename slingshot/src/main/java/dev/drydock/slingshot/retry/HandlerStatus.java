package dev.drydock.slingshot.retry;

import dev.drydock.slingshot.node.decide.RetryStatistics;
import dev.drydock.slingshot.retry.decide.HandlerReason;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The retry handler of one NIC, as it is shown.
 *
 * @param pid empty if no process of ours runs
 * @param restarts how often a process ended by itself
 * @param message for people; may be empty
 */
public record HandlerStatus(
    String device,
    OptionalLong pid,
    int restarts,
    HandlerReason reason,
    String message,
    Optional<RetryStatistics> statistics) {}
