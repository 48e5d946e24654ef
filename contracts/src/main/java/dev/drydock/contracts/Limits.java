package dev.drydock.contracts;

/**
 * The limits of numbers and texts in our kinds. The definitions refuse what exceeds them, and
 * readers treat objects from before that, and those of other definitions, as if they were at the
 * limit.
 */
public final class Limits {
  /** About 68 years: what fits into the integers of most clients. */
  public static final int MOST_SECONDS = Integer.MAX_VALUE;

  /** More than any cluster has. */
  public static final int MOST_NODES = 1_000_000;

  /** The longest duration; adding more to a time could overflow. */
  public static final long MOST_HOURS = 876_000;

  /** A text without a limit of its own. */
  public static final int LONGEST_TEXT = 32_768;

  /** Entries of a list or map without a limit of its own. */
  public static final int MOST_ENTRIES = 4_096;

  /** A key of a map: more than any label or annotation has. */
  public static final int LONGEST_KEY = 1_024;

  /** The name of a Node, and of most other objects: parts separated by single dots. */
  public static final String SUBDOMAIN =
      "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

  /**
   * A time that every reader can parse. The format {@code date-time} alone also lets times with
   * commas and with impossible offsets pass.
   */
  public static final String TIME =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?"
          + "([Zz]|[+-](0[0-9]|1[0-7]):[0-5][0-9])$";

  /** A CEL rule: a duration in Go's format, such as 5h or 1h30m, more than 0 and at most this. */
  public static final String DURATION_RULE =
      "self.matches('^([0-9]{1,12}([.][0-9]{1,9})?(ns|us|ms|s|m|h))+$')"
          + " && duration(self) > duration('0s') && duration(self) <= duration('"
          + MOST_HOURS
          + "h')";

  private Limits() {}
}
