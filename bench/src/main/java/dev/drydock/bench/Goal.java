package dev.drydock.bench;

import java.text.NumberFormat;
import java.util.Locale;

/** A row of the result: the compared figure, the opponent, and what Drydock must reach. */
record Goal(String row, Figure figure, String against, Limit limit) {
  /** The compared figure of a trial. */
  enum Figure {
    VALUE,
    MEMORY,
    /** Writes to an object per state transition. */
    WRITES,
    /** Write requests that were refused, so that nothing was written. */
    REFUSED,
    /** Connections to the database of events. */
    CONNECTIONS,
    /** Writes while there is nothing to do. */
    IDLE_WRITES;

    static final String WRITES_DETAIL = "writesPerTransition";
    static final String REFUSED_DETAIL = "refusedRequests";
    static final String CONNECTIONS_DETAIL = "connections";
    static final String IDLE_DETAIL = "idleWrites";

    double of(Trial trial) {
      return switch (this) {
        case VALUE -> trial.value();
        case MEMORY -> trial.usage().memoryMib();
        case WRITES -> trial.details().getOrDefault(WRITES_DETAIL, Double.NaN);
        case REFUSED -> trial.details().getOrDefault(REFUSED_DETAIL, Double.NaN);
        case CONNECTIONS -> trial.details().getOrDefault(CONNECTIONS_DETAIL, Double.NaN);
        case IDLE_WRITES -> trial.details().getOrDefault(IDLE_DETAIL, Double.NaN);
      };
    }

    String unit(String ofValue) {
      return switch (this) {
        case VALUE -> ofValue;
        case MEMORY -> "MiB";
        case WRITES, IDLE_WRITES -> "writes";
        case REFUSED -> "requests";
        case CONNECTIONS -> "connections";
      };
    }
  }

  /** When a goal is reached. */
  sealed interface Limit {
    boolean reached(double theirs, double ours);

    String text();
  }

  /** The peer's figure is at least this many times ours. */
  record TimesBetter(double times) implements Limit {
    @Override
    public boolean reached(double theirs, double ours) {
      return theirs >= times * ours;
    }

    @Override
    public String text() {
      return ">= %sx".formatted(NumberFormat.getInstance(Locale.ROOT).format(times));
    }
  }

  /** Our figure is at most this, regardless of the peer's. */
  record AtMost(double most, String unit) implements Limit {
    @Override
    public boolean reached(double theirs, double ours) {
      return ours <= most;
    }

    @Override
    public String text() {
      return "<= %.0f %s".formatted(most, unit);
    }
  }

  /** Our figure is at least this, regardless of the peer's. */
  record AtLeast(double least, String unit) implements Limit {
    @Override
    public boolean reached(double theirs, double ours) {
      return ours >= least;
    }

    @Override
    public String text() {
      return ">= %.0f %s".formatted(least, unit);
    }
  }

  /** Our figure is at most that many times the peer's. */
  record AtMostTimes(double times) implements Limit {
    @Override
    public boolean reached(double theirs, double ours) {
      return ours <= times * theirs;
    }

    @Override
    public String text() {
      return "<= %sx peer".formatted(NumberFormat.getInstance(Locale.ROOT).format(times));
    }
  }

  static Goal faster(String row, double times) {
    return new Goal(row, Figure.VALUE, Contestant.KUBECTL, new TimesBetter(times));
  }
}
