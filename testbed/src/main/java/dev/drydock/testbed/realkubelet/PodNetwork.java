package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ServiceNetwork;
import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The bridge of one node and its addresses, from the range reserved for benchmarks (198.18.0.0/15),
 * which no company or home network uses.
 */
record PodNetwork(int number) {
  private static final int COUNT = 512;

  /** Creates a bridge with a name and addresses that no other node on this machine has. */
  static PodNetwork claim() {
    int first = ThreadLocalRandom.current().nextInt(COUNT);
    CommandResult refused = null;
    for (int offset = 0; offset < COUNT; offset++) {
      PodNetwork network = new PodNetwork((first + offset) % COUNT);
      // the kernel accepts each name once, so the name acts as the lock
      // its own MAC address: otherwise it takes its pods' lowest, which changes as they come and go
      refused =
          SystemCommand.run(
              "ip", "link", "add", network.bridge(), "address", network.mac(), "type", "bridge");
      if (refused.succeeded()) {
        return network;
      }
      if (!refused.standardError().contains("exists")) {
        break;
      }
    }
    throw new TestbedException(
        "cannot create a network bridge for pods: "
            + (refused == null ? "no number is left" : refused.standardError().strip()));
  }

  /**
   * Sets the bridge's address, and that of the Service {@code kubernetes}. The CNI plugin's way
   * would also enable forwarding between all networks of this machine.
   */
  void bringUp(ServiceNetwork services) {
    SystemCommand.run("ip", "address", "add", gateway() + "/24", "dev", bridge()).output();
    SystemCommand.run("ip", "address", "add", services.apiAddress() + "/32", "dev", bridge())
        .output();
    SystemCommand.run("ip", "link", "set", bridge(), "up").output();
  }

  /** Locally administered. */
  private String mac() {
    return "0a:58:c6:12:%02x:%02x".formatted(number >> 8, number & 0xff);
  }

  String bridge() {
    return "drydock" + number;
  }

  String subnet() {
    return address(0) + "/24";
  }

  String gateway() {
    return address(1);
  }

  /** A port of the gateway address that was free a moment ago; nothing else uses this address. */
  int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(gateway()))) {
      return socket.getLocalPort();
    }
  }

  private String address(int host) {
    return "198.%d.%d.%d".formatted(18 + number / 256, number % 256, host);
  }
}
