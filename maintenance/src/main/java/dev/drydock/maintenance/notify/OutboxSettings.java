package dev.drydock.maintenance.notify;

import dev.drydock.kube.Backoff;
import java.time.Duration;

/**
 * How an outbox keeps notices.
 *
 * @param namespace where it keeps them: the operator's
 * @param retention how long delivery is retried before a notice is dropped
 * @param mostPerNode of more, the oldest are dropped
 * @param backoff between tries
 */
public record OutboxSettings(
    String namespace, Duration retention, int mostPerNode, Backoff backoff) {
  private static final Duration DEFAULT_RETENTION = Duration.ofHours(24);
  private static final int DEFAULT_MOST = 200;
  private static final Backoff DEFAULT_BACKOFF =
      new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1));

  public OutboxSettings {
    if (!retention.isPositive()) {
      throw new IllegalArgumentException("the retention of notices must be longer than nothing");
    }
    if (mostPerNode < 1) {
      throw new IllegalArgumentException("an outbox must hold at least one notice per node");
    }
  }

  public static OutboxSettings defaults(String namespace) {
    return new OutboxSettings(namespace, DEFAULT_RETENTION, DEFAULT_MOST, DEFAULT_BACKOFF);
  }

  public OutboxSettings withRetention(Duration other) {
    return new OutboxSettings(namespace, other, mostPerNode, backoff);
  }

  public OutboxSettings withBackoff(Backoff other) {
    return new OutboxSettings(namespace, retention, mostPerNode, other);
  }
}
