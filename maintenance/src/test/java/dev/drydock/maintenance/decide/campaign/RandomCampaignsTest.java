package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded fleets and campaigns in random interleavings. No budget is ever exceeded by a node that
 * was allowed to leave, no wait is left unexplained, and in the end every node is done.
 */
class RandomCampaignsTest {
  private static final int STEPS = 200;

  /** Nodes fail and are cordoned by others; every operator sees that as soon as it happens. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void budgetsHoldWhileNodesFail(long seed) {
    RandomFleet fleet = new RandomFleet(seed, false);
    for (int step = 0; step < STEPS; step++) {
      fleet.disturb();
      fleet.operate();
      fleet.maintain();
    }
    finish(fleet, seed);
  }

  /**
   * Two operators with caches that lag behind and a ledger that refuses a write by whoever has read
   * an older version: what is granted is counted although its cordon is not seen yet.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void budgetsHoldWithTwoOperatorsAndStaleCaches(long seed) {
    RandomFleet fleet = new RandomFleet(seed, true);
    for (int step = 0; step < STEPS; step++) {
      fleet.operate();
      fleet.maintain();
    }
    finish(fleet, seed);
  }

  private static void finish(RandomFleet fleet, long seed) {
    fleet.calmDown();
    for (int step = 0; step < 20 * STEPS && !fleet.isDone(); step++) {
      fleet.operate();
      fleet.maintain();
    }
    assertThat(fleet.isDone()).as("seed %d: %s", seed, fleet).isTrue();
    assertThat(fleet.grants()).as("seed %d grants something", seed).isPositive();
  }
}
