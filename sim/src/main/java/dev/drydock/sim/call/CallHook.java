package dev.drydock.sim.call;

/**
 * Stands before and after every call, for tests that want calls to go wrong. Both may take their
 * time, and both may throw: an {@code ApiFailure} is answered instead, and {@link ConnectionLost}
 * ends the connection without an answer.
 */
public interface CallHook {
  CallHook NONE = new CallHook() {};

  /** The server has not looked at the call yet. */
  default void before(Call call) {}

  /** The call took effect, and nobody knows yet. A watch has not begun yet. */
  default void after(Call call, int code) {}

  /** The caller never hears of its call again. */
  final class ConnectionLost extends RuntimeException {
    public ConnectionLost() {
      super("by the wish of a test");
    }
  }
}
