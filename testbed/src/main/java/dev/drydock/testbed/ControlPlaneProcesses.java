package dev.drydock.testbed;

import static dev.drydock.testbed.ComponentFlags.API_SERVER;
import static dev.drydock.testbed.ComponentFlags.CONTROLLER_MANAGER;
import static dev.drydock.testbed.ComponentFlags.ETCD;
import static dev.drydock.testbed.ComponentFlags.SCHEDULER;
import static dev.drydock.testbed.ComponentFlags.concat;
import static dev.drydock.testbed.ComponentFlags.url;

import dev.drydock.testbed.Component.PortTaken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Starts the four components in order, each on a free port, and can restart one. */
final class ControlPlaneProcesses implements AutoCloseable {
  private static final int PORT_TRIES = 5;

  private final ControlPlane.Options options;
  private final KubernetesPrograms programs;
  private final Path directory;
  private final Guardian guardian;
  private final ClusterCredentials credentials;
  private final ComponentFlags flags;
  private final HealthProbe probe;
  private int etcdPort;
  private int apiServerPort;
  private @Nullable Component apiServer;

  ControlPlaneProcesses(
      ControlPlane.Options options,
      KubernetesPrograms programs,
      Guardian guardian,
      ClusterCredentials credentials) {
    this.options = options;
    this.programs = programs;
    this.directory = guardian.directory();
    this.guardian = guardian;
    this.credentials = credentials;
    this.flags = new ComponentFlags(credentials);
    this.probe = new HealthProbe(credentials.trustingContext());
  }

  String server() {
    return url(apiServerPort);
  }

  ServiceNetwork services() {
    return new ServiceNetwork(apiServerPort);
  }

  void startAll() {
    options.progress().report("starting etcd");
    etcdPort = onFreePort(this::startEtcd);
    options.progress().report("starting kube-apiserver");
    apiServerPort =
        options.apiServerPort() == 0
            ? onFreePort(this::startApiServer)
            : onPort(options.apiServerPort(), this::startApiServer);
    options.progress().report("starting kube-controller-manager and kube-scheduler");
    CompletableFuture<Void> scheduler =
        CompletableFuture.runAsync(
            () -> onFreePort(this::startScheduler), Thread::startVirtualThread);
    onFreePort(this::startControllerManager);
    join(scheduler);
  }

  synchronized void startApiServer() {
    if (apiServer == null || !apiServer.process().isAlive()) {
      startApiServer(apiServerPort);
    }
  }

  synchronized void stopApiServer() {
    if (apiServer != null) {
      apiServer.stop();
    }
  }

  synchronized void signalApiServer(String signal) {
    if (apiServer != null) {
      String pid = Long.toString(apiServer.process().pid());
      var _ = CommandResult.run(List.of("kill", "-" + signal, pid), Map.of(), "").output();
    }
  }

  /**
   * Starts any program as part of this cluster: it ends with the cluster and logs to its folder.
   */
  Component start(String name, List<String> command, Map<String, String> environment) {
    Path log = directory.resolve("logs").resolve(name + ".log");
    try {
      Files.createDirectories(log.getParent());
      return new Component(name, guardian.start(command, environment, log), log);
    } catch (IOException e) {
      throw new TestbedException("cannot start %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  void beforeStop(String name, String commands) {
    try {
      guardian.beforeStop(name, commands);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startEtcd(int port) {
    Path data = directory.resolve("etcd");
    start(ETCD, programs.etcd(), flags.etcd(data, port, Ports.free()))
        .awaitReady(() -> Ports.isListening(port));
  }

  private synchronized void startApiServer(int port) {
    credentials.writeApiServer(new ServiceNetwork(port));
    apiServer = start(API_SERVER, programs.kubeApiserver(), flags.apiServer(port, etcdPort));
    apiServer.awaitReady(() -> probe.isOk(url(port) + "/readyz"));
  }

  private void startControllerManager(int port) {
    Path kubeconfig = kubeconfigOf(CONTROLLER_MANAGER, port);
    start(
            CONTROLLER_MANAGER,
            programs.kubeControllerManager(),
            flags.controllerManager(port, kubeconfig))
        .awaitReady(() -> probe.isOk(url(port) + "/healthz"));
  }

  private void startScheduler(int port) {
    Path kubeconfig = kubeconfigOf(SCHEDULER, port);
    start(SCHEDULER, programs.kubeScheduler(), flags.scheduler(port, kubeconfig))
        .awaitReady(() -> probe.isOk(url(port) + "/readyz"));
  }

  private Path kubeconfigOf(String component, int port) {
    return credentials.writeKubeconfig(component + "-" + port, server(), "system:" + component);
  }

  private Component start(String name, Path program, List<String> ownFlags) {
    List<String> extra = options.extraFlags().getOrDefault(name, List.of());
    List<String> command = concat(List.of(program.toString()), concat(ownFlags, extra));
    return start(name, command, Map.of());
  }

  /** Another process may take a port between its choice and its use; then another is tried. */
  private static int onFreePort(IntConsumer start) {
    for (int attempt = 1; ; attempt++) {
      int port = Ports.free();
      try {
        start.accept(port);
        return port;
      } catch (PortTaken e) {
        if (attempt == PORT_TRIES) {
          throw e;
        }
      }
    }
  }

  private static int onPort(int port, IntConsumer start) {
    try {
      start.accept(port);
      return port;
    } catch (PortTaken e) {
      throw new TestbedException(
          "port %d on 127.0.0.1 is in use: choose another, or stop what uses it".formatted(port),
          e);
    }
  }

  private static void join(CompletableFuture<Void> future) {
    try {
      future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  @Override
  public void close() {
    probe.close();
    guardian.close();
  }
}
