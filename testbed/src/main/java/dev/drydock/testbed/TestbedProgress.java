package dev.drydock.testbed;

/** Told, line by line, what the testbed is busy with. May be called from several threads. */
@FunctionalInterface
public interface TestbedProgress {
  void report(String line);

  /** Plain lines on standard error. */
  static TestbedProgress stderr() {
    return System.err::println;
  }
}
