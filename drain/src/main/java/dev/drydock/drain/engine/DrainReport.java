package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Decision;
import java.time.Duration;
import java.time.Instant;

/**
 * Where one node's drain stands.
 *
 * @param startedAt from the hold, so it survives a restart
 */
public record DrainReport(String node, Decision decision, Instant startedAt, Duration elapsed) {}
