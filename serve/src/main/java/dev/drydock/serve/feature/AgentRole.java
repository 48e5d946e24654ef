package dev.drydock.serve.feature;

import dev.drydock.kube.RequestInterceptor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What a feature does on a node. The object is also a picocli mixin: its flags are the agent's. */
public interface AgentRole {
  /** What it does on a node, in lines of the help. */
  List<String> summary();

  /** Whether an agent has it unless {@code --parts} says otherwise. */
  default boolean isDefault() {
    return true;
  }

  /**
   * Fails if the flags are invalid, before the cluster is contacted.
   *
   * @throws dev.drydock.cli.CommandFailure of wrong usage
   */
  default void check() {}

  /** Sees every request of the process, e.g. to make fewer of them. */
  default RequestInterceptor interceptor() {
    return RequestInterceptor.NONE;
  }

  /**
   * Begins to serve; returns when it can be used.
   *
   * @throws IOException if a socket cannot be made
   */
  Running start(AgentContext context) throws IOException;

  /** Serves until closed. */
  interface Running extends AutoCloseable {
    /** Why it cannot serve at present, if so; besides watches that are not in sync. */
    default Optional<String> unready() {
      return Optional.empty();
    }

    @Override
    void close();
  }
}
