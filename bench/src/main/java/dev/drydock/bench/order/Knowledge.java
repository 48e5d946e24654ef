package dev.drydock.bench.order;

/** What a campaign knows of jobs besides their ages and the run times of earlier ones. */
public enum Knowledge {
  /** Nothing. */
  HISTORY_ONLY(0),
  /** Every second job has a time limit of one to three times its length. */
  SOME_LIMITS(0.5),
  /** Every job has such a limit. */
  LIMITS(1);

  private final double share;

  Knowledge(double share) {
    this.share = share;
  }

  /** The fraction of jobs that have a limit. */
  double share() {
    return share;
  }
}
