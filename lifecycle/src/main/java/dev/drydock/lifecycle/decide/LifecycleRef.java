package dev.drydock.lifecycle.decide;

/** The name of a LifecycleEvent or LifecycleTransition, with its API group. */
public record LifecycleRef(String group, String name) {
  @Override
  public String toString() {
    return name;
  }
}
