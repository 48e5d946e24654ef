package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Decision;
import java.time.Duration;
import java.time.Instant;

/**
 * The state of one node's drain.
 *
 * @param startedAt from the hold, so it survives a restart
 */
public record DrainReport(String node, Decision decision, Instant startedAt, Duration elapsed) {}
