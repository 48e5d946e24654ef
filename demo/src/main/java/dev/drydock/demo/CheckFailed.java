package dev.drydock.demo;

/** The cluster is not in the expected state. */
final class CheckFailed extends RuntimeException {
  CheckFailed(String what) {
    super(what);
  }
}
