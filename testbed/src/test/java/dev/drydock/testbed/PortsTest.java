package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void spreadsOverAWideRange() {
    assertThat(IntStream.range(0, 50).map(attempt -> Ports.free()).distinct().count())
        .as("two clusters started at once should hardly ever choose the same port")
        .isGreaterThan(40);
  }

  @Test
  void tellsATakenPortFromAFreeOne() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.isFree(taken.getLocalPort())).isFalse();
      assertThat(Ports.isListening(taken.getLocalPort())).isTrue();
    }
    int free = Ports.free();
    assertThat(Ports.isFree(free)).isTrue();
    assertThat(Ports.isListening(free)).isFalse();
  }
}
