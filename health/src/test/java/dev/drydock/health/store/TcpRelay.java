package dev.drydock.health.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a store and its server, and can be cut. */
public final class TcpRelay implements AutoCloseable {
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ServerSocket server;
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile boolean isCut;

  public TcpRelay(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** How many connections were made until now. */
  public int accepted() {
    return accepted.get();
  }

  /** How many connections there are to the server. */
  public int connections() {
    return open.size() / 2;
  }

  private void accept() {
    try {
      while (!server.isClosed()) {
        Socket client = server.accept();
        accepted.incrementAndGet();
        Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(there);
        Thread.ofVirtual().start(() -> copy(client, there));
        Thread.ofVirtual().start(() -> copy(there, client));
        if (isCut) {
          endAll();
        }
      }
    } catch (IOException closed) {
      // the relay was closed
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // one of both sides has ended
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  /** Ends all connections, and new ones at once. It keeps its port, which others could take. */
  public void cut() {
    isCut = true;
    endAll();
  }

  private void endAll() {
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException closed) {
        // it was closed already
      }
    }
  }

  public void mend() {
    isCut = false;
  }

  @Override
  public void close() {
    cut();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
