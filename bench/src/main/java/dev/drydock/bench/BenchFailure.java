package dev.drydock.bench;

/** A benchmark could not be completed, so there is no result; the message says why in one line. */
final class BenchFailure extends RuntimeException {
  BenchFailure(String message) {
    super(message);
  }

  BenchFailure(String message, Throwable cause) {
    super(message, cause);
  }

  static BenchFailure interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new BenchFailure("interrupted", e);
  }
}
