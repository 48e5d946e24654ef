package dev.drydock.serve.feature;

import java.util.List;

/**
 * What a feature does in an operator process: some of it always, some of it only while the process
 * leads.
 */
public interface OperatorPart extends AutoCloseable {
  /** Begins what every process does, leading or not. */
  default void start() {}

  /** What every process answers to API servers. */
  default List<WebhookEndpoint> webhooks() {
    return List.of();
  }

  /**
   * Begins what only the leader does.
   *
   * @return closed when this process leads no longer
   */
  default AutoCloseable lead(LeaderTerm term) {
    return () -> {};
  }

  /** Called before metrics are read. */
  default void refreshMetrics() {}

  @Override
  default void close() {}
}
