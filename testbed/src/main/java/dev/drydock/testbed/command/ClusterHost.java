package dev.drydock.testbed.command;

import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.realkubelet.OciArchive;
import dev.drydock.testbed.realkubelet.RealKubelet;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background process of one cluster: starts it, runs its simulated kubelets, and ends it on a
 * signal. It reports events to its parent on standard output, one line each: a {@link Report} and a
 * text. It gives up if standard input closes before a byte arrives, because then nobody waits for
 * the cluster any more.
 */
final class ClusterHost {
  private static final Logger log = LoggerFactory.getLogger(ClusterHost.class);
  private static final long READY_SECONDS = 180;

  /** The kinds of lines on standard output. */
  enum Report {
    STEP,
    DETAIL,
    READY,
    FAILED;

    /** Empty for other lines: the JVM itself prints warnings there. */
    static Optional<Report> of(String line) {
      return Stream.of(values()).filter(report -> line.startsWith(report + " ")).findFirst();
    }

    String text(String line) {
      return line.substring(name().length() + 1);
    }
  }

  /**
   * The cluster to run, passed between the two processes as command-line arguments.
   *
   * @param kubelet the name of the real node, if there is one
   */
  record Order(
      ClusterFolder folder,
      int nodes,
      List<String> names,
      Optional<String> kubelet,
      Optional<OciArchive> image,
      int port) {
    Order {
      names = List.copyOf(names);
    }

    int simulated() {
      return nodes + names.size();
    }

    List<String> words() {
      return List.of(
          folder.state().toString(),
          folder.name(),
          Integer.toString(nodes),
          kubelet.orElse(""),
          Integer.toString(port),
          image.map(archive -> archive.file().toAbsolutePath().toString()).orElse(""),
          String.join(",", names));
    }

    static Order of(String[] words) {
      return new Order(
          new ClusterFolder(Path.of(words[0]), words[1]),
          Integer.parseInt(words[2]),
          words[6].isEmpty() ? List.of() : List.of(words[6].split(",", -1)),
          Optional.of(words[3]).filter(name -> !name.isEmpty()),
          Optional.of(words[5]).filter(file -> !file.isEmpty()).map(Path::of).map(OciArchive::of),
          Integer.parseInt(words[4]));
    }
  }

  private final Order order;
  private final PrintStream owner;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private boolean stopped;

  private ClusterHost(Order order, PrintStream owner) {
    this.order = order;
    this.owner = owner;
  }

  public static void main(String[] words) throws InterruptedException {
    PrintStream owner = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err); // output of libraries belongs in the log
    ClusterHost host = new ClusterHost(Order.of(words), owner);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(host::stop));
    Thread.ofPlatform().daemon().start(ClusterHost::exitUnlessAcknowledged);
    try {
      host.start();
    } catch (RuntimeException | Error e) { // whatever was thrown, the parent waits for a report
      log.error("the cluster did not start", e);
      host.report(
          Report.FAILED,
          String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given"));
      System.exit(1);
    }
    // a signal ends the process, and the shutdown hook stops the cluster
    Thread.currentThread().join();
  }

  private void start() {
    order.folder().recordHost();
    report(Report.STEP, "Starting the control plane");
    ControlPlane controlPlane = part(() -> ControlPlane.start(options()));
    report(Report.STEP, "Registering " + order.simulated() + " simulated nodes");
    SimulatedKubelets kubelets = part(() -> SimulatedKubelets.start(controlPlane.client()));
    // A program of the image would only seem to run on them.
    NodeTemplate simulated =
        order.image().isPresent()
            ? NodeTemplate.DEFAULT.withLabel("kubernetes.io/arch", "simulated")
            : NodeTemplate.DEFAULT;
    var _ = kubelets.register(order.nodes(), "node-", simulated);
    order.names().forEach(name -> kubelets.register(name, simulated));
    order.kubelet().ifPresent(name -> startKubelet(controlPlane, name));
    report(Report.STEP, "Waiting until all nodes are ready");
    awaitReadyNodes(
        controlPlane.client(), order.simulated() + (order.kubelet().isPresent() ? 1 : 0));
    order.folder().recordRunning(describe(controlPlane));
    report(Report.READY, controlPlane.server());
  }

  private void startKubelet(ControlPlane controlPlane, String name) {
    report(Report.STEP, "Starting a real kubelet");
    RealKubelet kubelet =
        part(() -> RealKubelet.start(controlPlane, name, line -> report(Report.DETAIL, line)));
    order.image().ifPresent(image -> load(image, kubelet));
  }

  private void load(OciArchive image, RealKubelet kubelet) {
    report(Report.STEP, "Loading the image " + image.name());
    kubelet.loadArchive(
        image,
        ClusterUpCommand.DEPLOYED_NAME,
        // the kubelet asks for the whole name
        "docker.io/library/" + ClusterUpCommand.DRIVER_NAME);
  }

  private ControlPlane.Options options() {
    return ControlPlane.Options.defaults()
        .withDirectory(order.folder().controlPlane())
        .withApiServerPort(order.port())
        .withProgress(line -> report(Report.DETAIL, line));
  }

  private ClusterFolder.Running describe(ControlPlane controlPlane) {
    return new ClusterFolder.Running(
        controlPlane.client().getKubernetesVersion().getGitVersion(),
        controlPlane.server(),
        controlPlane.kubeconfig().toString(),
        controlPlane.programs().kubectl().toString(),
        order.simulated(),
        order.kubelet().isPresent(),
        Clock.systemUTC().instant());
  }

  /**
   * Starts a part that is stopped at the end. A stop waits for a start in progress, so that no part
   * is missed.
   */
  private <T extends AutoCloseable> T part(Supplier<T> start) {
    synchronized (parts) {
      if (stopped) {
        throw new IllegalStateException("stopped while starting");
      }
      T started = start.get();
      parts.push(started);
      return started;
    }
  }

  private void stop() {
    synchronized (parts) {
      stopped = true;
      while (!parts.isEmpty()) {
        try {
          parts.pop().close();
        } catch (Exception e) {
          log.error("a part of the cluster did not stop; stopping the rest", e);
        }
      }
      order.folder().delete();
    }
  }

  private synchronized void report(Report what, String text) {
    owner.println(what + " " + text);
  }

  /**
   * Ready, and without the taint that new nodes carry until the node controller has processed them.
   */
  private static void awaitReadyNodes(KubernetesClient client, int count) {
    try {
      var _ =
          client
              .nodes()
              .informOnCondition(
                  nodes -> nodes.stream().filter(ClusterHost::isReady).count() >= count)
              .get(READY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the nodes become ready", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "not all of the " + count + " nodes became ready in " + READY_SECONDS + " s", e);
    }
  }

  private static boolean isReady(Node node) {
    return node.getSpec().getTaints().isEmpty() && Readiness.isNodeReady(node);
  }

  /**
   * The parent sends a byte when it knows that the cluster is ready; if the parent ends before
   * that, this process ends too.
   */
  private static void exitUnlessAcknowledged() {
    try {
      if (System.in.read() >= 0) {
        return;
      }
    } catch (IOException e) {
      log.error("the process that waits for this cluster ended", e);
    }
    System.exit(1);
  }
}
