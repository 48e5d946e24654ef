package dev.drydock.testbed.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import dev.drydock.testbed.KubernetesPrograms;
import dev.drydock.testbed.TestbedException;
import dev.drydock.testbed.realkubelet.OciArchive;
import dev.drydock.testbed.realkubelet.RealKubelet;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock cluster up}: starts a cluster in the background and returns when it is ready. */
@Command(
    name = "up",
    description = {
      "Start a real control plane with simulated nodes in the background.",
      "The first time, its programs are built with Go (minutes, then cached), unless KUBEBUILDER_ASSETS names a folder with them."
    })
final class ClusterUpCommand implements Callable<Integer> {
  private static final int MOST_NODES = 5_000;
  private static final long STOP_SECONDS = 120;
  private static final Pattern NODE_NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  /** The name that {@code deploy/kustomization.yaml} has for the image. */
  static final String DEPLOYED_NAME = "drydock.local/drydock:latest";

  /**
   * The name that {@code deploy/daemonset.yaml}, the drain driver alone, has for the same image.
   */
  static final String DRIVER_NAME = "drain-driver:latest";

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ClusterName name = new ClusterName();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "The number of simulated nodes, node-1 and so on. Default: 50, with --node 0.")
  private @Nullable Integer nodes;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "A simulated node of this name; may be given several times.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--kubelet",
      paramLabel = "NAME",
      arity = "0..1",
      fallbackValue = "kubelet-1",
      description =
          "Add one real node, kubelet-1 or NAME: a kubelet with containerd (root only; Debian: containerd runc containernetworking-plugins busybox-static iproute2).")
  private @Nullable String kubelet;

  @Option(
      names = "--image",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Load this image in OCI format on the real node, also under the names in deploy/, "
              + DEPLOYED_NAME
              + " and "
              + DRIVER_NAME
              + ". Without FILE: the one that 'make image' built.")
  private @Nullable String image;

  @Option(
      names = "--check",
      description = "Only say whether a real node can run here, and start nothing.")
  private boolean check;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "The API server's port on 127.0.0.1. Default: a free one.")
  private int port;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (nodes() < 0 || nodes() > MOST_NODES) {
      throw CommandFailure.usage("--nodes " + nodes() + ": use 0 to " + MOST_NODES);
    }
    names.forEach(each -> checkName("--node", each));
    if (kubelet != null) {
      checkName("--kubelet", kubelet);
    }
    if (port < 0 || port > 65_535) {
      throw CommandFailure.usage("--port " + port + ": use 1 to 65535, or 0 for a free one");
    }
    if (image != null && kubelet == null) {
      throw CommandFailure.usage("--image: only a real node runs images; add --kubelet");
    }
    if (check && kubelet == null) {
      throw CommandFailure.usage("--check: only a real node may not run here; add --kubelet");
    }
    ClusterFolder folder = name.folder();
    if (check) {
      checkKubeletCanRun(folder);
      terminal.out().println("A real node can run here.");
      return ExitCode.OK;
    }
    try (ProgressDisplay display = new ProgressDisplay(terminal, Clock.systemUTC())) {
      try {
        start(folder, display);
      } catch (RuntimeException e) {
        display.fail();
        throw e instanceof TestbedException ? new CommandFailure(messageOf(e), e) : e;
      }
    }
    describe(terminal, folder);
    return ExitCode.OK;
  }

  private static void checkName(String flag, String node) {
    if (!NODE_NAME.matcher(node).matches()) {
      throw CommandFailure.usage("%s \"%s\" is not a name of a node".formatted(flag, node));
    }
  }

  private int nodes() {
    return nodes == null ? (names.isEmpty() ? 50 : 0) : nodes;
  }

  private void start(ClusterFolder folder, ProgressDisplay display) {
    if (kubelet != null) {
      checkKubeletCanRun(folder);
    }
    Optional<OciArchive> archive = archive();
    display.step("Looking for the Kubernetes programs");
    KubernetesPrograms programs = KubernetesPrograms.obtain(display::detail);
    display.detail("from " + programs.source());
    folder.claim(); // not before, so that an interrupted build leaves no folder behind
    try {
      folder.checkSpace();
      run(
          new ClusterHost.Order(
              folder, nodes(), names, Optional.ofNullable(kubelet), archive, port),
          display);
    } catch (RuntimeException e) {
      folder.delete();
      throw e;
    }
  }

  private static void checkKubeletCanRun(ClusterFolder folder) {
    if (folder.excessForKubelet() > 0) {
      throw new CommandFailure(
          "--kubelet: the path %s is %d characters too long for its sockets; use a shorter --name or XDG_STATE_HOME"
              .formatted(folder.path(), folder.excessForKubelet()));
    }
    RealKubelet.unavailable()
        .ifPresent(
            reason -> {
              throw new CommandFailure("--kubelet: " + reason);
            });
  }

  private Optional<OciArchive> archive() {
    if (image == null) {
      return Optional.empty();
    }
    Path launcher = Path.of(System.getenv().getOrDefault("DRYDOCK_LAUNCHER", "drydock"));
    OciArchive archive =
        OciArchive.of(
            image.isEmpty()
                ? OciArchive.newestIn(launcher.resolveSibling("target"))
                : Path.of(image));
    archive.requireArchitectureOfThisMachine();
    return Optional.of(archive);
  }

  private static void run(ClusterHost.Order order, ProgressDisplay display) {
    Process host = launch(order);
    try {
      follow(host, display);
    } catch (IOException e) {
      throw giveUp(
          host,
          new CommandFailure("lost the connection to the cluster's process: " + e.getMessage(), e));
    } catch (RuntimeException e) {
      throw giveUp(host, e);
    }
  }

  private static Process launch(ClusterHost.Order order) {
    List<String> command = new ArrayList<>();
    // in its own session, so that neither Ctrl-C nor the end of this terminal stops it
    command.addAll(
        List.of("setsid", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(
        List.of("-XX:+UseSerialGC", "-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.add("-D" + CommandLogging.LEVEL_PROPERTY + "=WARN");
    command.add(ClusterHost.class.getName());
    command.addAll(order.words());
    try {
      return new ProcessBuilder(command).redirectError(order.folder().log().toFile()).start();
    } catch (IOException e) {
      throw new CommandFailure("cannot start the cluster's process: " + e.getMessage(), e);
    }
  }

  /**
   * Shows the host's reports until it is ready; after that it no longer depends on this process.
   */
  private static void follow(Process host, ProgressDisplay display) throws IOException {
    BufferedReader reports = host.inputReader(UTF_8);
    for (String line = reports.readLine(); line != null; line = reports.readLine()) {
      Optional<ClusterHost.Report> report = ClusterHost.Report.of(line);
      if (report.isEmpty()) {
        continue;
      }
      String text = report.get().text(line);
      switch (report.get()) {
        case STEP -> display.step(text);
        case DETAIL -> display.detail(text);
        case FAILED -> throw new CommandFailure(text);
        case READY -> {
          host.getOutputStream().write('\n');
          host.getOutputStream().flush();
          return;
        }
      }
    }
    throw new CommandFailure("the cluster's process ended before the cluster was ready");
  }

  /** Waits until the host has removed everything, as it does when its input closes. */
  private static RuntimeException giveUp(Process host, RuntimeException failure) {
    try {
      host.getOutputStream().close();
      if (!host.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        failure.addSuppressed(new TimeoutException("the cluster's process is still stopping"));
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.addSuppressed(e);
    }
    return failure;
  }

  private static String messageOf(RuntimeException e) {
    return String.valueOf(e.getMessage());
  }

  private static void describe(Terminal terminal, ClusterFolder folder) {
    ClusterFolder.Running running = folder.running().orElseThrow();
    String flag = ClusterName.flag(folder.name());
    int total = running.nodes() + (running.kubelet() ? 1 : 0);
    terminal
        .out()
        .printf(
            """
            Cluster "%s" is up: Kubernetes %s, %d node%s.

              export KUBECONFIG=%s
              kubectl get nodes

            Stop it with: drydock cluster down%s
            """,
            folder.name(),
            running.version(),
            total,
            total == 1 ? "" : "s",
            running.kubeconfig(),
            flag);
  }
}
