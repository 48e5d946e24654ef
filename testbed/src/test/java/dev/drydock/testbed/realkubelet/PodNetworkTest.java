package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodNetworkTest {
  @Test
  void hasAddressesOfItsOwnInTheRangeForBenchmarks() {
    PodNetwork first = new PodNetwork(0);
    PodNetwork last = new PodNetwork(511);

    assertThat(first.subnet()).isEqualTo("198.18.0.0/24");
    assertThat(first.gateway()).isEqualTo("198.18.0.1");
    assertThat(last.subnet()).isEqualTo("198.19.255.0/24");
    assertThat(last.bridge()).as("at most 15 characters").isEqualTo("drydock511");
  }
}
