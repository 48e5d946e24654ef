package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How requests reach an API server: over HTTP, or inside the process to a simulated one.
 * Thread-safe.
 */
public interface Transport extends AutoCloseable {
  /** Blocks until the answer arrives or the time limit has passed. */
  KubeAnswer send(ApiCall call, Duration answerWithin);

  /**
   * As {@link #send}, for a list: its items are passed on one by one, so that not all of them have
   * to be in memory. Of an answer that fails later some may have been passed on.
   */
  default KubeAnswer list(ApiCall call, Duration answerWithin, Consumer<JsonNode> items) {
    KubeAnswer answer = send(call, answerWithin);
    answer.body().path("items").forEach(items);
    return answer;
  }

  /**
   * Opens a watch; returns without waiting for the answer.
   *
   * @param answerWithin the time limit for the first answer
   * @param lasts the client ends the watch after this time, because nothing else reveals a
   *     connection that the network dropped silently
   */
  Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events);

  @Override
  void close();

  /**
   * Receives a watch's events, in order, on any thread, but never on the stack of {@link #watch}.
   */
  interface Events {
    /** Handles an event; returning false ends the watch. */
    boolean event(JsonNode event);

    /**
     * Called once, after the last event.
     *
     * @param answer the server's first answer
     * @param broken why the watch ended, unless the server ended it
     */
    void ended(KubeAnswer answer, Optional<String> broken);
  }

  /** An open watch. */
  @FunctionalInterface
  interface Stream {
    Stream NONE = () -> {};

    /** Ends the watch, even before its first answer. */
    void end();
  }
}
