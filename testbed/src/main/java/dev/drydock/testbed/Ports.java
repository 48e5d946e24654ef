package dev.drydock.testbed;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Free TCP ports on the loopback interface. */
public final class Ports {
  private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int LOWEST = 10_000;
  private static final int TRIES = 200;

  private Ports() {}

  /**
   * A port that was free a moment ago, below the kernel's range for outgoing connections: until a
   * server listens there, and while it restarts, no outgoing connection can take its port.
   */
  public static int free() {
    return free(1);
  }

  /** The first of so many in a row. */
  public static int free(int count) {
    int bound = Math.max(firstEphemeral(), LOWEST + 1000);
    for (int attempt = 0; attempt < TRIES; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, bound - count);
      if (IntStream.range(port, port + count).allMatch(Ports::isFree)) {
        return port;
      }
    }
    throw new TestbedException("no free TCP port between %d and %d".formatted(LOWEST, bound));
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // as Go's listeners do: closing connections do not occupy a port
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static int firstEphemeral() {
    // read at once: the kernel returns nothing on a second read of such a file
    try (BufferedReader range = Files.newBufferedReader(EPHEMERAL_RANGE)) {
      String[] bounds = String.valueOf(range.readLine()).strip().split("\\s+", 2);
      return Integer.parseInt(bounds[0]);
    } catch (IOException e) {
      // the kernel's default, if the setting cannot be read
      return 32_768;
    }
  }
}
