package dev.drydock.bench.order;

import java.time.Duration;
import java.util.Random;

/** Distributions of job lengths, each with an average of one hour. */
public enum JobMix {
  /** Uniform from 10 to 110 minutes. */
  UNIFORM {
    @Override
    double minutes(Random random) {
      return 10 + 100 * random.nextDouble();
    }
  },
  /** Exponential: the remaining time does not depend on the age. */
  EXPONENTIAL {
    @Override
    double minutes(Random random) {
      return -60 * Math.log(1 - random.nextDouble());
    }
  },
  /** Pareto, exponent 1.5 from 20 minutes on, cut at a week: few jobs make up most of the load. */
  HEAVY_TAILED {
    @Override
    double minutes(Random random) {
      return Math.min(7 * 24 * 60, 20 / Math.pow(1 - random.nextDouble(), 1 / 1.5));
    }
  };

  abstract double minutes(Random random);

  /** The length of the next job. */
  Duration next(Random random) {
    return Duration.ofMillis(Math.max(1, Math.round(minutes(random) * 60_000)));
  }
}
