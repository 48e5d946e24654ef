package dev.drydock.bench;

/** A row of the result: which figure is compared with whose, and what Drydock must reach. */
record Goal(String row, Figure figure, String against, Limit limit) {
  /** What of a trial is compared. */
  enum Figure {
    VALUE,
    MEMORY;

    double of(Trial trial) {
      return this == VALUE ? trial.value() : trial.usage().memoryMib();
    }
  }

  /** When a goal is reached. */
  sealed interface Limit {
    boolean reached(double theirs, double ours);

    String text();
  }

  /** The peer's figure is at least that many times ours. */
  record TimesBetter(double times) implements Limit {
    @Override
    public boolean reached(double theirs, double ours) {
      return theirs >= times * ours;
    }

    @Override
    public String text() {
      return ">= %.0fx".formatted(times);
    }
  }

  /** Our figure is at most this, whatever the peer's is. */
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

  static Goal faster(String row, double times) {
    return new Goal(row, Figure.VALUE, Contestant.KUBECTL, new TimesBetter(times));
  }
}
