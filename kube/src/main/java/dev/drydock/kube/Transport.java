package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * How requests reach an API server: over HTTP, or inside the process to a simulated one. Safe for
 * use by many threads.
 */
public interface Transport extends AutoCloseable {
  /** Blocks until the answer is there, or the time is over. */
  KubeAnswer send(ApiCall call, Duration answerWithin);

  /**
   * Opens a watch; returns without waiting for the answer.
   *
   * @param answerWithin for the first answer
   * @param lasts the watch is ended after this time: a network that silently lost the connection
   *     shows in nothing else
   */
  Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events);

  @Override
  void close();

  /** What a watch brings, in order, on any thread, but never on the stack of {@link #watch}. */
  interface Events {
    /** One event of the watch; false ends it. */
    boolean event(JsonNode event);

    /**
     * Called once, when no more events come.
     *
     * @param answer what the server answered first
     * @param broken why the watch ended other than by the server's will
     */
    void ended(KubeAnswer answer, Optional<String> broken);
  }

  /** A watch that has been opened. */
  @FunctionalInterface
  interface Stream {
    Stream NONE = () -> {};

    /** Ends it, also before it has begun. */
    void end();
  }
}
