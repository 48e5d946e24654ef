package dev.drydock.health.spool;

/** Nothing of the batch was taken; there is room again when events have been forwarded. */
public final class SpoolFull extends Exception {
  private static final long serialVersionUID = 1L;

  SpoolFull(String message) {
    super(message);
  }
}
