package dev.drydock.kube;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What counts as a bug in our own code. A process survives it: it is reported, and other objects
 * are served. Any other error, such as a lack of memory, ends the process.
 */
public final class Bugs {
  private Bugs() {}

  /** Code that may fail by a bug. */
  @FunctionalInterface
  public interface Code<T, E extends Exception> {
    T run() throws E;
  }

  /**
   * Runs the code. Callers catch an {@link ExpectedFailure} inside it.
   *
   * @param handler supplies the result if the code fails by a bug
   */
  public static <T, E extends Exception> T call(Code<T, E> code, Function<Throwable, T> handler)
      throws E {
    try {
      return code.run();
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError bug) {
      return handler.apply(bug);
    }
  }

  /** Runs the code; a bug is also told to the listener. */
  public static void run(Runnable code, Consumer<Throwable> listener) {
    try {
      code.run();
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError bug) {
      listener.accept(bug);
      throw bug;
    }
  }
}
