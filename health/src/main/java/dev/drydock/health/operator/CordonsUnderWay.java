package dev.drydock.health.operator;

import dev.drydock.serve.feature.LeaderTerm;
import java.util.function.BooleanSupplier;

/**
 * Whether the quarantine of this process is taking nodes out of service. The ingest shows failures
 * as conditions of the same Nodes, and lets the cordons go first; if the two run in processes of
 * their own, it does not know.
 */
final class CordonsUnderWay implements BooleanSupplier, AutoCloseable {
  private volatile BooleanSupplier quarantine = () -> false;

  /** The one of this term. */
  static CordonsUnderWay of(LeaderTerm term) {
    return term.shared(CordonsUnderWay.class, CordonsUnderWay::new);
  }

  void are(BooleanSupplier underWay) {
    quarantine = underWay;
  }

  @Override
  public boolean getAsBoolean() {
    return quarantine.getAsBoolean();
  }

  @Override
  public void close() {
    are(() -> false);
  }
}
