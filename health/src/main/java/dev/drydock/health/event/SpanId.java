package dev.drydock.health.event;

import dev.drydock.contracts.Sha256;

/** Ids for traces, derived from what is stored. */
public final class SpanId {
  private static final int SPAN_BYTES = 8;

  private SpanId() {}

  /**
   * The id of what a service does about an event. It is the same each time, because that may be
   * repeated.
   */
  public static String of(String service, String eventId) {
    return digest(service + eventId, SPAN_BYTES);
  }

  /** The beginning of a hash, in hexadecimal digits. */
  public static String digest(String text, int bytes) {
    return Sha256.hex(text).substring(0, 2 * bytes);
  }
}
