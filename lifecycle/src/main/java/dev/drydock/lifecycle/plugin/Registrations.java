package dev.drydock.lifecycle.plugin;

import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.serve.socket.SocketFolder;
import dev.drydock.serve.socket.UnixServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registration sockets, and the drivers behind them. */
final class Registrations implements SocketFolder.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final Connector connector;
  private final Runnable changed;
  private final ControlLoops<RegistrationSocket> loops;
  private final Map<Path, RegistrationSocket> sockets = new HashMap<>();
  private final Map<RegistrationSocket, DriverConnection> connections = new HashMap<>();

  /** Refused, and tried again when another registration is removed. */
  private final List<RegistrationSocket> refused = new ArrayList<>();

  /** The current registrations of each driver, newest last; if none is left, the last one. */
  private final Map<String, List<DriverConnection>> drivers = new HashMap<>();

  /** Makes the connection to a driver that has registered. */
  interface Connector {
    DriverConnection connect(String name, Path endpoint);
  }

  Registrations(Kube kube, Runnable changed) {
    this(
        kube,
        (name, endpoint) -> new DriverConnection(name, endpoint, kube.clock(), changed),
        changed);
  }

  Registrations(Kube kube, Connector connector, Runnable changed) {
    this.connector = connector;
    this.changed = changed;
    loops = kube.loops("registrations", socket -> () -> ask(socket));
  }

  synchronized List<DriverConnection> newest() {
    return drivers.values().stream().map(List::getLast).toList();
  }

  synchronized @Nullable DriverConnection connection(String driver) {
    List<DriverConnection> known = drivers.get(driver);
    return known == null ? null : known.getLast();
  }

  /** A socket exists; ignored if it is already known. */
  @Override
  public void present(Path file) throws IOException {
    Object identity = UnixServer.identity(file);
    RegistrationSocket socket = new RegistrationSocket(file, identity);
    synchronized (this) {
      RegistrationSocket known = sockets.get(file);
      if (known != null && known.is(identity)) {
        return;
      }
    }
    absent(file);
    synchronized (this) {
      sockets.put(file, socket);
    }
    loops.wake(socket);
  }

  /** Asks until it is answered, unless the socket was removed or replaced. */
  private Optional<Instant> ask(RegistrationSocket socket) {
    if (isThere(socket)) {
      socket.ask(this::receive);
    }
    return Optional.empty();
  }

  private synchronized boolean isThere(RegistrationSocket socket) {
    return socket.equals(sockets.get(socket.file()));
  }

  /** The socket was removed or replaced. */
  @Override
  public void absent(Path file) {
    List<RegistrationSocket> wake = new ArrayList<>();
    boolean lost;
    synchronized (this) {
      RegistrationSocket socket = sockets.remove(file);
      if (socket == null) {
        return;
      }
      refused.remove(socket);
      wake.add(socket); // whose loop then ends
      DriverConnection connection = connections.remove(socket);
      lost = connection != null;
      if (connection != null) {
        forget(connection);
        wake.addAll(refused);
        refused.clear();
      }
    }
    wake.forEach(loops::wake);
    if (lost) {
      changed.run();
    }
  }

  /** No others are there than these. */
  @Override
  public void onlyThese(Set<Path> files) {
    List<Path> gone;
    synchronized (this) {
      gone = sockets.keySet().stream().filter(file -> !files.contains(file)).toList();
    }
    gone.forEach(this::absent);
  }

  @Override
  public synchronized void close() {
    loops.close();
    sockets.clear();
    drivers.values().forEach(all -> all.forEach(DriverConnection::abort));
  }

  private Optional<RegistrationStatus> receive(
      RegistrationSocket socket, String name, Path endpoint) {
    DriverConnection connection;
    synchronized (this) {
      if (!isThere(socket)) {
        // removed meanwhile, or it is another one now that was asked by mistake
        return Optional.empty();
      }
      for (Map.Entry<RegistrationSocket, DriverConnection> other : connections.entrySet()) {
        if (other.getValue().endpoint().equals(endpoint)) {
          refused.add(socket);
          return Optional.of(
              RegistrationSocket.refusal(
                  "endpoint %s is registered by %s already"
                      .formatted(endpoint, other.getKey().file().getFileName())));
        }
      }
      connection = connector.connect(name, endpoint);
      connections.put(socket, connection);
      List<DriverConnection> all = drivers.computeIfAbsent(name, key -> new ArrayList<>());
      // the last that there was is of no more use
      all.removeIf(known -> !connections.containsValue(known));
      all.add(connection);
    }
    LOG.info("driver {} is found at {}", name, endpoint);
    connection.open(); // which tells whether it answers
    return Optional.of(RegistrationStatus.newBuilder().setPluginRegistered(true).build());
  }

  private void forget(DriverConnection connection) {
    connection.close();
    List<DriverConnection> all = drivers.getOrDefault(connection.name(), List.of());
    if (all.size() > 1) {
      all.remove(connection);
      LOG.info("driver {} is no longer at {}", connection.name(), connection.endpoint());
    } else {
      LOG.info("driver {} is gone: its registration was removed", connection.name());
    }
  }
}
