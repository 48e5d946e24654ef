package dev.drydock.health;

import dev.drydock.serve.feature.Feature;

/**
 * Health events: a connector on each node accepts them, a central ingest stores them, and
 * controllers act on them.
 */
public final class HealthFeature implements Feature {
  @Override
  public String part() {
    return "health";
  }

  @Override
  public String agentPart() {
    return "connector";
  }

  /** It needs a volume or a database. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "stores health events and quarantines the nodes that they are about";
  }
}
