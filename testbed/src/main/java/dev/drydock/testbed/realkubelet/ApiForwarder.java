package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.ServiceNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;

/**
 * Forwards the Service {@code kubernetes} to the API server, which listens on loopback only. The
 * service's address must be one of this machine.
 */
final class ApiForwarder implements AutoCloseable {
  private final ServerSocket server;
  private final int apiServerPort;

  private ApiForwarder(ServerSocket server, int apiServerPort) {
    this.server = server;
    this.apiServerPort = apiServerPort;
  }

  static ApiForwarder start(ServiceNetwork services) throws IOException {
    ServerSocket server = new ServerSocket();
    // each node of a cluster has a forwarder at the same address
    server.setOption(StandardSocketOptions.SO_REUSEPORT, true);
    server.bind(new InetSocketAddress(services.apiAddress(), ServiceNetwork.API_PORT));
    ApiForwarder forwarder = new ApiForwarder(server, services.apiServerPort());
    Thread.startVirtualThread(forwarder::acceptAll);
    return forwarder;
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.startVirtualThread(() -> connect(client));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void connect(Socket client) {
    try {
      Socket api = new Socket(InetAddress.getLoopbackAddress(), apiServerPort);
      Thread.startVirtualThread(() -> copy(api, client));
      copy(client, api);
    } catch (IOException _) {
      close(client); // the API server is down, and its clients try again
    }
  }

  /** Closes both at the end: TLS has no use for half a connection. */
  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // either side ended the connection
    } finally {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // nothing of it is used any more
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException _) {
      // it accepts nobody any more either way
    }
  }
}
