package dev.drydock.lifecycle.plugin;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.pluginregistration.InfoRequest;
import dev.drydock.lifecycle.pluginregistration.PluginInfo;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.serve.socket.UnixSockets;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One socket file in the folder of registrations, from when it appears until it is removed or
 * replaced.
 */
final class RegistrationSocket {
  private static final Logger LOG = LoggerFactory.getLogger(RegistrationSocket.class);
  private static final Duration DIAL = Duration.ofSeconds(10);
  private static final long INFO_SECONDS = 1;
  private static final long NOTIFY_SECONDS = 5;

  private final Path file;
  private final Object identity;
  private String lastFailure = "";

  /** Gets a registered driver. Returns the status to be sent to the driver, if any. */
  interface DriverListener {
    Optional<RegistrationStatus> receive(RegistrationSocket socket, String name, Path endpoint);
  }

  RegistrationSocket(Path file, Object identity) {
    this.file = file;
    this.identity = identity;
  }

  Path file() {
    return file;
  }

  boolean is(Object otherIdentity) {
    return identity.equals(otherIdentity);
  }

  /**
   * Calls GetInfo, and reports the plugin if it is a lifecycle driver.
   *
   * @throws SocketFailure if there is no answer
   */
  void ask(DriverListener driverListener) {
    try {
      handshake(driverListener);
    } catch (IOException | StatusRuntimeException e) {
      throw failure(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("interrupted");
    }
  }

  /** Logged once: the process of a socket that stays behind may never come back. */
  private SocketFailure failure(String why) {
    boolean repeated = why.equals(lastFailure);
    lastFailure = why;
    return new SocketFailure("no answer at %s: %s".formatted(file, why), !repeated);
  }

  private void handshake(DriverListener driverListener) throws IOException, InterruptedException {
    ManagedChannel channel = UnixSockets.channel(file, Caller.CLAIMER.header());
    try {
      UnixSockets.awaitConnected(channel, DIAL);
      RegistrationGrpc.RegistrationBlockingStub plugin = RegistrationGrpc.newBlockingStub(channel);
      PluginInfo info =
          plugin
              .withDeadlineAfter(INFO_SECONDS, TimeUnit.SECONDS)
              .getInfo(InfoRequest.getDefaultInstance());
      if (!isDriver(info)) {
        // of no concern here: the kubelet deals with it
        return;
      }
      offer(info, driverListener)
          .ifPresent(
              verdict ->
                  answer(plugin.withDeadlineAfter(NOTIFY_SECONDS, TimeUnit.SECONDS), verdict));
    } finally {
      channel.shutdownNow();
    }
  }

  private static boolean isDriver(PluginInfo info) {
    return info.getType().equals(LifecycleNames.PLUGIN_TYPE)
        && info.getSupportedVersionsList().contains(LifecycleNames.PLUGIN_VERSION);
  }

  private Optional<RegistrationStatus> offer(PluginInfo info, DriverListener driverListener) {
    if (info.getName().isEmpty()) {
      return Optional.of(refusal("a driver needs a name"));
    }
    try {
      // as kubelets do: without an endpoint the driver serves at the registration socket
      Path endpoint = info.getEndpoint().isEmpty() ? file : Path.of(info.getEndpoint());
      return driverListener.receive(this, info.getName(), endpoint);
    } catch (InvalidPathException e) {
      return Optional.of(refusal("endpoint '%s' is not a path".formatted(info.getEndpoint())));
    }
  }

  static RegistrationStatus refusal(String error) {
    return RegistrationStatus.newBuilder().setError(error).build();
  }

  private void answer(
      RegistrationGrpc.RegistrationBlockingStub plugin, RegistrationStatus verdict) {
    if (!verdict.getPluginRegistered()) {
      LOG.warn("driver at {} is refused: {}", file, verdict.getError());
    }
    try {
      plugin.notifyRegistrationStatus(verdict);
    } catch (StatusRuntimeException e) {
      // the driver is used even if it did not get the status; a refusal is answered by an error
      if (verdict.getPluginRegistered()) {
        LOG.warn("driver at {} did not accept its registration status: {}", file, e.getStatus());
      }
    }
  }

  @Override
  public String toString() {
    return String.valueOf(file.getFileName());
  }
}
