package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * Called before and after every call, so that tests can inject failures. Both methods may block and
 * may throw: an {@code ApiFailure} is sent as the answer, and {@link ConnectionLost} closes the
 * connection without an answer.
 */
public interface CallInterceptor {
  CallInterceptor NONE = new CallInterceptor() {};

  /** Before the server processes the call. */
  default void before(Call call) {}

  /** After the call took effect, before the answer is sent. A watch has not started yet. */
  default void after(Call call, int code) {}

  /** Wraps the event stream of a watch. */
  default Lines lines(Call call, Lines lines) {
    return lines;
  }

  /** Receives the events of a watch; {@link ConnectionLost} ends the watch. */
  interface Lines {
    void send(JsonNode line) throws IOException;
  }

  /** The caller never receives an answer. */
  final class ConnectionLost extends RuntimeException {
    public ConnectionLost() {
      super("injected by a test");
    }
  }
}
