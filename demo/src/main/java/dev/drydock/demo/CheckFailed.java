package dev.drydock.demo;

/** The cluster is not as the story says it is. */
final class CheckFailed extends RuntimeException {
  CheckFailed(String what) {
    super(what);
  }
}
