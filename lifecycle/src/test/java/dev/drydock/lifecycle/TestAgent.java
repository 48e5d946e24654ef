package dev.drydock.lifecycle;

import dev.drydock.kube.Kube;

/** The agent of a node, in a process of its own that ends when it is closed. */
interface TestAgent extends AutoCloseable {
  Kube kube();

  @Override
  void close();
}
