package dev.drydock.serve.feature;

import java.util.List;

/** What a feature runs in an operator: some of it in every replica, some only in the leader. */
public interface OperatorPart extends AutoCloseable {
  /** Starts what every replica runs. */
  default void start() {}

  /** Admission webhooks, served by every replica. */
  default List<WebhookEndpoint> webhooks() {
    return List.of();
  }

  /**
   * Starts the leader's controllers.
   *
   * @return closed when leadership is lost
   */
  default AutoCloseable lead(LeaderTerm term) {
    return () -> {};
  }

  /** Why this process should get no requests at present, one line each; for {@code /readyz}. */
  default List<String> unready() {
    return List.of();
  }

  /** Called before metrics are read. */
  default void refreshMetrics() {}

  @Override
  default void close() {}
}
