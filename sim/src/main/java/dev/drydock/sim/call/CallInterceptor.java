package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * Stands before and after every call, for tests that want calls to go wrong. Both may take their
 * time, and both may throw: an {@code ApiFailure} is answered instead, and {@link ConnectionLost}
 * ends the connection without an answer.
 */
public interface CallInterceptor {
  CallInterceptor NONE = new CallInterceptor() {};

  /** The server has not looked at the call yet. */
  default void before(Call call) {}

  /** The call took effect, and nobody knows yet. A watch has not begun yet. */
  default void after(Call call, int code) {}

  /** Stands between a watch that begins and its caller. */
  default Lines lines(Call call, Lines lines) {
    return lines;
  }

  /** Where the events of a watch go, one by one; {@link ConnectionLost} ends the watch. */
  interface Lines {
    void send(JsonNode line) throws IOException;
  }

  /** The caller never hears of its call again. */
  final class ConnectionLost extends RuntimeException {
    public ConnectionLost() {
      super("by the wish of a test");
    }
  }
}
