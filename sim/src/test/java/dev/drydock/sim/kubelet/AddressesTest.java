package dev.drydock.sim.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressesTest {
  @Test
  void areGivenOutInTurn() {
    Addresses pods = Addresses.ofPods();

    assertThat(pods.next()).isEqualTo("10.128.0.1");
    assertThat(pods.next()).isEqualTo("10.128.0.2");
    assertThat(Addresses.ofNodes().next()).isEqualTo("172.16.0.1");
  }

  @Test
  void goOnPastThoseInUse() {
    Addresses nodes = Addresses.ofNodes();

    nodes.used("172.16.1.255");
    nodes.used("172.16.0.9");

    assertThat(nodes.next()).isEqualTo("172.16.2.0");
  }

  @Test
  void mindNoAddressOfAnotherRange() {
    Addresses pods = Addresses.ofPods();

    pods.used(null);
    pods.used("");
    pods.used("fd00::1");
    pods.used("::ffff:10.128.0.9");
    pods.used("192.168.0.1");

    assertThat(pods.next()).isEqualTo("10.128.0.1");
  }
}
