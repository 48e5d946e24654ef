package dev.drydock.health.decide;

/** A taint of a node. The API server keeps one per key and effect. */
public record NodeTaint(String key, String value, String effect) {
  /** Whether both cannot be on one node. */
  boolean excludes(NodeTaint other) {
    return key.equals(other.key) && effect.equals(other.effect);
  }

  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
