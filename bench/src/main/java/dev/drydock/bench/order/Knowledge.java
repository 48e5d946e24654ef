package dev.drydock.bench.order;

/** What a campaign can know of the jobs besides their ages and how long earlier ones ran. */
public enum Knowledge {
  /** Nothing. */
  HISTORY_ONLY(0),
  /** Every second job has a time limit of one to three times what it takes. */
  SOME_LIMITS(0.5),
  /** Every job has such a limit. */
  LIMITS(1);

  private final double share;

  Knowledge(double share) {
    this.share = share;
  }

  /** The part of jobs that have a limit. */
  double share() {
    return share;
  }
}
