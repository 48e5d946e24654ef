package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServiceNetworkTest {

  @Test
  void twoClustersShareNoAddress() {
    ServiceNetwork network = new ServiceNetwork(40_000);

    assertThat(network.subnet()).isEqualTo("249.196.0.0/20");
    assertThat(network.apiAddress()).isEqualTo("249.196.0.1");
    assertThat(new ServiceNetwork(40_001).subnet()).isEqualTo("249.196.16.0/20");
    assertThat(new ServiceNetwork(65_535).apiAddress()).isEqualTo("255.255.240.1");
  }
}
