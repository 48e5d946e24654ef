package dev.drydock.testbed;

/** Told, line by line, what the testbed is busy with. May be called from several threads. */
@FunctionalInterface
public interface Progress {
  void report(String line);

  /** Plain lines on standard error. */
  static Progress stderr() {
    return System.err::println;
  }
}
