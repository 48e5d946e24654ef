package dev.drydock.testbed;

/** Receives progress messages of the testbed. May be called from several threads. */
@FunctionalInterface
public interface TestbedProgress {
  void report(String line);

  /** Prints plain lines on standard error. */
  static TestbedProgress stderr() {
    return System.err::println;
  }
}
