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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A driver as kubelets and claimers find it: its service first, its registration after that. */
public final class PluginServer implements AutoCloseable {
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

  /** What a kubelet says about the registration. Drydock's own claimer does not count. */
  public interface RegistrationListener {
    void heard(boolean registered, String error);
  }

  private final UnixServer service;
  private final UnixServer registration;

  private PluginServer(UnixServer service, UnixServer registration) {
    this.service = service;
    this.registration = registration;
  }

  /**
   * Returns when the driver can be found. It has answered itself before that: a kubelet has no
   * patience with the first calls of a JVM.
   *
   * @throws IOException one line that tells why the driver cannot be reached
   */
  public static PluginServer start(
      String driverName, SocketFolders folders, Driver driver, RegistrationListener listener)
      throws IOException {
    if (!NAME.matcher(driverName).matches()) {
      throw new IOException(
          "driver name '%s' does not do: use letters, digits, '-', '.' and '_', and begin with a letter or digit"
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
    UnixServer service = UnixServer.listen(endpoint, services);
    boolean started = false;
    try {
      askSelf(endpoint, info);
      UnixServer registration =
          UnixServer.listen(
              folders.registrationFolder().resolve(driverName + "-reg.sock"),
              List.of(registrations));
      LOG.info("driver {} serves at {}", driverName, endpoint);
      started = true;
      return new PluginServer(service, registration);
    } finally {
      if (!started) {
        service.close();
      }
    }
  }

  /** Nobody finds the driver any more, then nobody reaches it. */
  @Override
  public void close() {
    try {
      registration.close();
    } finally {
      service.close();
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

  /** Tells each verdict, and logs each that is new. */
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
