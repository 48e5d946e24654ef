package dev.drydock.slingshot.metrics.decide;

/**
 * A number that only grows, made of one that begins again at zero whenever its process does, and
 * that has only 32 bits with a sign.
 *
 * @param total what is shown
 * @param last what was read, without its sign
 * @param process that counted; 0 if unknown
 */
public record GrowingCount(long total, long last, long process) {
  private static final long BITS = 0xFFFF_FFFFL;

  /** A count that goes back by more than this was not carried over, but began again. */
  private static final long HALF = 1L << 31;

  /** What is read first is shown as it is. */
  public static GrowingCount first(long raw, long process) {
    return new GrowingCount(raw & BITS, raw & BITS, process);
  }

  public GrowingCount next(long raw, long nextProcess) {
    long value = raw & BITS;
    boolean same = process != 0 && process == nextProcess;
    long grown = value >= last && (same || process == 0 || nextProcess == 0) ? value - last : value;
    if (same && value < last && value - last + BITS + 1 < HALF) {
      grown = value - last + BITS + 1;
    }
    return new GrowingCount(total + grown, value, nextProcess);
  }
}
