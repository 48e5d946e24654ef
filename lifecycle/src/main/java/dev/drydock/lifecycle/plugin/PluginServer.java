package dev.drydock.lifecycle.plugin;

import dev.drydock.lifecycle.pluginregistration.InfoRequest;
import dev.drydock.lifecycle.pluginregistration.PluginInfo;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.SLMPluginGrpc;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.serve.socket.UnixSockets;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a driver: opens its service first, then its registration, by which kubelets and
 * claimers find it.
 */
public final class PluginServer implements SocketKeeper.Sockets, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PluginServer.class);

  /** It becomes a folder and a file. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private static final int SELF_CALL_SECONDS = 30;

  /**
   * Where a kubelet looks.
   *
   * @param dataFolder gets {@code <driver>/slm.sock}
   * @param registrationFolder gets {@code <driver>-reg.sock}
   */
  public record SocketFolders(Path dataFolder, Path registrationFolder) {}

  /** Gets the registration status from the kubelet; that of Drydock's own claimer is ignored. */
  public interface RegistrationListener {
    void heard(boolean registered, String error);
  }

  private final String driverName;
  private final Listening service;
  private final Listening registration;

  private PluginServer(String driverName, Listening service, Listening registration) {
    this.driverName = driverName;
    this.service = service;
    this.registration = registration;
  }

  /**
   * Returns when the driver can be found. It has answered itself before that: a kubelet has no
   * patience with the first calls of a JVM.
   *
   * @throws IOException with one line that says why the driver cannot be reached
   */
  public static PluginServer start(
      String driverName, SocketFolders folders, Driver driver, RegistrationListener listener)
      throws IOException {
    if (!NAME.matcher(driverName).matches()) {
      throw new IOException(
          "invalid driver name '%s': use letters, digits, '-', '.' and '_', and begin with a letter or digit"
              .formatted(driverName));
    }
    Path endpoint =
        folders.dataFolder().toAbsolutePath().normalize().resolve(driverName).resolve("slm.sock");
    PluginInfo info = GrpcServices.info(driverName, endpoint.toString());
    ServerServiceDefinition registrations =
        GrpcServices.registration(info, new Hearing(driverName, listener));
    List<ServerServiceDefinition> services = new ArrayList<>(GrpcServices.driver(driver));
    // kubelets ask for it at its own socket; here the plugin asks itself
    services.add(registrations);
    Listening service = new Listening(endpoint, services);
    boolean started = false;
    try {
      askSelf(endpoint, info);
      Listening registration =
          new Listening(
              folders.registrationFolder().resolve(driverName + "-reg.sock"),
              List.of(registrations));
      LOG.info("driver {} serves at {}", driverName, endpoint);
      started = true;
      return new PluginServer(driverName, service, registration);
    } finally {
      if (!started) {
        service.close();
      }
    }
  }

  /** The sockets by which the driver is found and called. */
  @Override
  public List<Path> sockets() {
    return List.of(service.socket(), registration.socket());
  }

  /** Why the driver cannot be found, if one of its sockets was removed. */
  public Optional<String> missing() {
    return Stream.of(service, registration)
        .filter(Listening::isGone)
        .findFirst()
        .map(gone -> "driver %s: socket %s is gone".formatted(driverName, gone.socket()));
  }

  /** The service's first, as at the start. */
  @Override
  public void restore() throws IOException {
    for (Listening each : List.of(service, registration)) {
      if (each.restore()) {
        LOG.warn("driver {}: socket {} was removed; created it again", driverName, each.socket());
      }
    }
  }

  /** Closes the registration socket first, then the service. */
  @Override
  public void close() {
    try {
      registration.close();
    } finally {
      service.close();
    }
  }

  /** A socket that can be made again. */
  private static final class Listening implements AutoCloseable {
    private final List<ServerServiceDefinition> services;
    private UnixServer server;

    /** Keeps the connections of those who connected before its socket was removed. */
    private @Nullable UnixServer before;

    private boolean closed;

    Listening(Path socket, List<ServerServiceDefinition> services) throws IOException {
      this.services = List.copyOf(services);
      server = UnixServer.listen(socket, this.services);
    }

    synchronized Path socket() {
      return server.socket();
    }

    synchronized boolean isGone() {
      return !closed && server.isSocketGone();
    }

    /** Whether there was need. */
    synchronized boolean restore() throws IOException {
      if (!isGone()) {
        return false;
      }
      UnixServer next = UnixServer.listen(server.socket(), services);
      if (before != null) {
        before.close();
      }
      before = server;
      server = next;
      return true;
    }

    @Override
    public synchronized void close() {
      closed = true;
      try {
        server.close();
      } finally {
        if (before != null) {
          before.close();
        }
      }
    }
  }

  private static void askSelf(Path endpoint, PluginInfo info) throws IOException {
    ManagedChannel channel = UnixSockets.channel(endpoint, Caller.SELF.header());
    try {
      Deadline deadline = Deadline.after(SELF_CALL_SECONDS, TimeUnit.SECONDS);
      PluginInfo answer =
          RegistrationGrpc.newBlockingStub(channel)
              .withDeadline(deadline)
              .getInfo(InfoRequest.getDefaultInstance());
      if (!answer.equals(info)) {
        throw new IOException("another driver answers at %s".formatted(endpoint));
      }
      SLMPluginGrpc.SLMPluginBlockingStub driver =
          SLMPluginGrpc.newBlockingStub(channel).withDeadline(deadline);
      driver.startLifecycleTransition(StartLifecycleTransitionRequest.getDefaultInstance());
      driver.endLifecycleTransition(EndLifecycleTransitionRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      throw new IOException(
          "what listens at %s does not answer: %s".formatted(endpoint, e.getStatus()), e);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Passes on each status, and logs new ones. */
  private record Hearing(String driverName, RegistrationListener verdicts, Set<String> logged)
      implements Consumer<RegistrationStatus> {
    Hearing(String driverName, RegistrationListener verdicts) {
      this(driverName, verdicts, ConcurrentHashMap.newKeySet());
    }

    @Override
    public void accept(RegistrationStatus status) {
      boolean registered = status.getPluginRegistered();
      boolean kubelet = Caller.current() == Caller.KUBELET;
      String who = kubelet ? "the kubelet" : "the claimer";
      // a kubelet repeats itself
      if (logged.add(who + registered + status.getError())) {
        if (registered) {
          LOG.info("{} has registered driver {}", who, driverName);
        } else {
          LOG.warn(
              "{} does not register driver {}, which stays for others: {}",
              who,
              driverName,
              status.getError());
        }
      }
      if (kubelet) {
        verdicts.heard(registered, status.getError());
      }
    }
  }
}
