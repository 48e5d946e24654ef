package dev.drydock.lifecycle;

import java.util.Optional;

/** The agent of a node, in a process of its own that ends when it is closed. */
interface TestAgent extends AutoCloseable {
  Optional<String> unready();

  @Override
  void close();
}
