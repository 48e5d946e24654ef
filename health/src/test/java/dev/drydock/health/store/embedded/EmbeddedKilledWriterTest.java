package dev.drydock.health.store.embedded;

import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.health.store.KilledWriterContract;

class EmbeddedKilledWriterTest extends KilledWriterContract {
  @Override
  protected StoreKind kind() {
    return StoreKind.EMBEDDED;
  }
}
