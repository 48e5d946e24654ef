package dev.drydock.slingshot.node.decide;

import java.util.Optional;

/**
 * A {@code cxi_rh} that runs on a node.
 *
 * @param configuration the name of the file that it was started with; empty for its default
 */
public record RetryHandlerProcess(long pid, String device, Optional<String> configuration) {
  /** As it is shown: {@code default}, or the name of the configuration. */
  public String policy() {
    return configuration.orElse("default");
  }
}
