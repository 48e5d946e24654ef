package dev.drydock.lifecycle.plugin;

import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.decide.DriverPresence;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.SLMPluginGrpc;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import dev.drydock.serve.socket.SocketFolder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of a node, found as the kubelet finds them: by the sockets in its folder of
 * registrations, which is watched.
 */
public final class PluginRegistry implements AutoCloseable {
  private final SocketFolder folder;
  private final Registrations registrations;

  /**
   * A driver that was found once.
   *
   * @param goneSince when its registration was removed or its connection broke; empty while neither
   * @param deregistered when its registration was removed
   */
  public record Found(
      String name, Path endpoint, Optional<Instant> goneSince, Optional<Instant> deregistered) {
    public DriverPresence presence() {
      return new DriverPresence(goneSince, deregistered);
    }
  }

  /**
   * @param changed runs on any thread after drivers were found, went or came back; it must neither
   *     block nor throw
   */
  public PluginRegistry(Kube kube, Path registrationFolder, Runnable changed) {
    this.registrations = new Registrations(kube, changed);
    this.folder = new SocketFolder(registrationFolder, registrations);
  }

  /** Makes the folder if it is missing, and watches it. */
  public void start() throws IOException {
    folder.start();
  }

  /** Drivers by name, also those that are gone. */
  public Map<String, Found> drivers() {
    Map<String, Found> found = new TreeMap<>();
    registrations.newest().forEach(driver -> found.put(driver.name(), driver.found()));
    return found;
  }

  /**
   * Cancelling what is returned (not what is derived from it) cancels the call. Fails with a
   * StatusRuntimeException, of code UNAVAILABLE if there is no such driver, and after 45 s.
   */
  public CompletableFuture<LifecycleTransitionResponse> start(
      String driver, StartLifecycleTransitionRequest request) {
    return call(driver, SLMPluginGrpc.getStartLifecycleTransitionMethod(), request);
  }

  /** Calls a driver, as {@link #start(String, StartLifecycleTransitionRequest)} does. */
  public CompletableFuture<LifecycleTransitionResponse> end(
      String driver, EndLifecycleTransitionRequest request) {
    return call(driver, SLMPluginGrpc.getEndLifecycleTransitionMethod(), request);
  }

  @Override
  public void close() {
    folder.close();
    registrations.close();
  }

  private <Q> CompletableFuture<LifecycleTransitionResponse> call(
      String driver, MethodDescriptor<Q, LifecycleTransitionResponse> method, Q request) {
    @Nullable DriverConnection connection = registrations.connection(driver);
    if (connection == null) {
      return CompletableFuture.failedFuture(
          Status.UNAVAILABLE
              .withDescription("no driver %s is registered on this node".formatted(driver))
              .asRuntimeException());
    }
    return connection.call(method, request);
  }
}
