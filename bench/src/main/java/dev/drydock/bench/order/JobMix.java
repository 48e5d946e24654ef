package dev.drydock.bench.order;

import java.time.Duration;
import java.util.Random;

/** How long jobs run; an hour on average in each mix. */
public enum JobMix {
  /** All lengths from ten minutes to 110 are as likely. */
  UNIFORM {
    @Override
    double minutes(Random random) {
      return 10 + 100 * random.nextDouble();
    }
  },
  /** What has run for long ends no sooner and no later than what has just begun. */
  EXPONENTIAL {
    @Override
    double minutes(Random random) {
      return -60 * Math.log(1 - random.nextDouble());
    }
  },
  /** Pareto, exponent 1.5 from 20 minutes on, cut at a week: few jobs make most of the load. */
  HEAVY_TAILED {
    @Override
    double minutes(Random random) {
      return Math.min(7 * 24 * 60, 20 / Math.pow(1 - random.nextDouble(), 1 / 1.5));
    }
  };

  abstract double minutes(Random random);

  /** How long the next job runs. */
  Duration next(Random random) {
    return Duration.ofMillis(Math.max(1, Math.round(minutes(random) * 60_000)));
  }
}
