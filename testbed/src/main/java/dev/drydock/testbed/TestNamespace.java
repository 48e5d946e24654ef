package dev.drydock.testbed;

/** A new namespace for one test or test class; closing it deletes it without waiting. */
public record TestNamespace(String name, ControlPlane controlPlane) implements AutoCloseable {

  @Override
  public void close() {
    controlPlane.client().namespaces().withName(name).delete();
  }

  @Override
  public String toString() {
    return name;
  }
}
