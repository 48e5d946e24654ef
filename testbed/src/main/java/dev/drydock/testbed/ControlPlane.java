package dev.drydock.testbed;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes control plane on loopback: etcd, API server, controller manager and scheduler,
 * with RBAC and its own CA. It has no nodes until some are registered.
 *
 * <p>All its processes end and its folder is removed on {@link #close}, or when this JVM ends, even
 * if it is killed. Thread-safe.
 */
public final class ControlPlane implements AutoCloseable {
  private static final long ACCOUNT_SECONDS = 180;

  /**
   * How to start. {@code directory} must be absent or empty, and is removed at the end; {@code
   * apiServerPort} 0 takes a free port; {@code extraFlags} are appended to the flags of the
   * component that is their key, e.g. {@code kube-apiserver}.
   */
  public record Options(
      @Nullable Path directory,
      int apiServerPort,
      Map<String, List<String>> extraFlags,
      TestbedProgress progress) {

    public Options {
      extraFlags = Map.copyOf(extraFlags);
      for (String component : extraFlags.keySet()) {
        if (!ComponentFlags.COMPONENTS.contains(component)) {
          throw new TestbedException(
              "no component is called %s: use one of %s"
                  .formatted(component, String.join(", ", ComponentFlags.COMPONENTS)));
        }
      }
    }

    public static Options defaults() {
      return new Options(null, 0, Map.of(), TestbedProgress.stderr());
    }

    public Options withDirectory(Path newDirectory) {
      return new Options(newDirectory, apiServerPort, extraFlags, progress);
    }

    public Options withApiServerPort(int port) {
      return new Options(directory, port, extraFlags, progress);
    }

    /** Adds to the flags given before. */
    public Options withFlags(String component, String... flags) {
      Map<String, List<String>> all = new LinkedHashMap<>(extraFlags);
      all.merge(component, List.of(flags), ComponentFlags::concat);
      return new Options(directory, apiServerPort, all, progress);
    }

    public Options withProgress(TestbedProgress newProgress) {
      return new Options(directory, apiServerPort, extraFlags, newProgress);
    }
  }

  private final KubernetesPrograms programs;
  private final Path directory;
  private final ClusterCredentials credentials;
  private final ControlPlaneProcesses processes;
  private final Path kubeconfig;
  private final KubernetesClient client;
  private final AtomicInteger kubeconfigs = new AtomicInteger();

  private ControlPlane(Options options, KubernetesPrograms programs, Guardian guardian)
      throws IOException {
    this.programs = programs;
    this.directory = guardian.directory();
    this.credentials = new ClusterCredentials(directory.resolve("credentials"), Clock.systemUTC());
    this.processes = new ControlPlaneProcesses(options, programs, guardian, credentials);
    processes.startAll();
    this.kubeconfig =
        credentials.writeKubeconfig("admin", server(), "drydock-admin", "system:masters");
    this.client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
  }

  /** Starts a control plane with defaults: a temporary folder, free ports. */
  public static ControlPlane start() {
    return start(Options.defaults());
  }

  /**
   * Starts a control plane and returns when pods can be created. Obtains the programs first, which
   * may take minutes if they are not in the cache.
   *
   * @throws TestbedUnavailable if this machine lacks something it needs
   * @throws TestbedException if it does not start, with the log line of the failed component
   */
  public static ControlPlane start(Options options) {
    return start(options, KubernetesPrograms.obtain(options.progress()));
  }

  /** As {@link #start(Options)}, with the given programs. */
  public static ControlPlane start(Options options, KubernetesPrograms programs) {
    try {
      Guardian guardian = Guardian.of(emptyDirectory(options.directory()));
      try {
        ControlPlane controlPlane = new ControlPlane(options, programs, guardian);
        controlPlane.awaitDefaultServiceAccount("default");
        options.progress().report("control plane is ready at " + controlPlane.server());
        return controlPlane;
      } catch (IOException | RuntimeException e) {
        guardian.close();
        throw e;
      }
    } catch (IOException e) {
      throw new TestbedException("cannot start a control plane: " + e, e);
    }
  }

  /**
   * Stops and removes the remains of a control plane whose owner died, and returns when that is
   * done. Normally its guardian does this already, but the guardian may have died too.
   */
  public static void removeRemains(Path directory) {
    if (Files.exists(directory)) {
      try {
        Guardian.of(directory.toRealPath()).close();
      } catch (NoSuchFileException _) {
        // its guardian removed it first
      } catch (IOException e) {
        throw new TestbedException("cannot remove " + directory + ": " + e, e);
      }
    }
  }

  /** The kubeconfig of the administrator, who may do everything. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /** A kubeconfig with a client certificate for the user; RBAC decides what the user may do. */
  public Path kubeconfigFor(String user, String... groups) {
    String name = "user-" + kubeconfigs.incrementAndGet();
    return credentials.writeKubeconfig(name, server(), user, groups);
  }

  /** A client for the administrator; closed with the control plane. */
  public KubernetesClient client() {
    return client;
  }

  /** The URL of the API server. */
  public String server() {
    return processes.server();
  }

  /** The addresses of Services. */
  public ServiceNetwork services() {
    return processes.services();
  }

  /** Holds all data, credentials and logs; removed with the control plane. */
  public Path directory() {
    return directory;
  }

  /** Where the log {@code name}.log of every component is. */
  public Path logs() {
    return directory.resolve("logs");
  }

  public KubernetesPrograms programs() {
    return programs;
  }

  /** Runs the real kubectl as the administrator. */
  public CommandResult kubectl(String... arguments) {
    return kubectlWithInput("", arguments);
  }

  /** Runs the real kubectl as the administrator with a text on its standard input. */
  public CommandResult kubectlWithInput(String input, String... arguments) {
    List<String> command =
        ComponentFlags.concat(List.of(programs.kubectl().toString()), List.of(arguments));
    Map<String, String> environment =
        Map.of(
            "KUBECONFIG",
            kubeconfig.toString(),
            // never use or change the user's configuration for other clusters
            "KUBECACHEDIR",
            directory.resolve("kubectl-cache").toString(),
            "KUBERC",
            "off",
            Guardian.MARKER,
            directory.toString());
    return CommandResult.run(command, environment, input);
  }

  /** A new namespace with a unique name, in which pods can be created at once. */
  public TestNamespace createNamespace(String prefix) {
    Namespace template =
        new NamespaceBuilder()
            .withNewMetadata()
            .withGenerateName(prefix + "-")
            .endMetadata()
            .build();
    String name = client.resource(template).create().getMetadata().getName();
    awaitDefaultServiceAccount(name);
    return new TestNamespace(name, this);
  }

  /** Stops the API server and returns when it is gone; clients lose their connections. */
  public void stopApiServer() {
    processes.stopApiServer();
  }

  /** Starts a stopped API server on the same port, and returns when it is ready. */
  public void startApiServer() {
    processes.startApiServer();
  }

  /** Halts the API server where it is: connections stay open, and nothing is answered. */
  public void stallApiServer() {
    processes.signalApiServer("STOP");
  }

  /** Lets a stalled API server go on. */
  public void resumeApiServer() {
    processes.signalApiServer("CONT");
  }

  public void restartApiServer() {
    stopApiServer();
    startApiServer();
  }

  /**
   * Starts any program as part of this cluster: it ends with the cluster, even if this JVM is
   * killed, and logs to {@code name}.log. Its child processes are found by the environment variable
   * {@code DRYDOCK_TESTBED} that they inherit.
   */
  public Process startComponent(
      String name, List<String> command, Map<String, String> environment) {
    return processes.start(name, command, environment).process();
  }

  /**
   * Registers bash commands that run when the cluster ends, while everything still runs, even if
   * this JVM is killed: for things that the marker in the environment does not reach, such as
   * containers.
   */
  public void beforeStop(String name, String commands) {
    processes.beforeStop(name, commands);
  }

  @Override
  public void close() {
    client.close();
    processes.close();
  }

  private void awaitDefaultServiceAccount(String namespace) {
    client
        .serviceAccounts()
        .inNamespace(namespace)
        .withName("default")
        .waitUntilCondition(Objects::nonNull, ACCOUNT_SECONDS, TimeUnit.SECONDS);
  }

  /** By its real path, which the kernel uses for mounts in it. */
  private static Path emptyDirectory(@Nullable Path wanted) throws IOException {
    if (wanted == null) {
      return Files.createTempDirectory("drydock-testbed-").toRealPath();
    }
    Files.createDirectories(wanted);
    try (Stream<Path> content = Files.list(wanted)) {
      if (content.findAny().isPresent()) {
        throw new TestbedException(
            "%s is not empty: a cluster removes its folder at the end, so it needs one of its own"
                .formatted(wanted));
      }
    }
    return wanted.toRealPath();
  }
}
