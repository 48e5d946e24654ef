package dev.drydock.bench;

import dev.drydock.slingshot.fake.FakeKubelet;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.realkubelet.OciArchive;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fake machine with two NICs and a kubelet, and one program on it: one of ours, with the image's
 * files, in namespaces and with a root of its own as in a container; or the one in Go.
 */
final class NodeProgramRun implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long LOOK_EVERY = 2;

  private final Path root;
  private final FakeNics machine;
  private final Object lists = new Object();
  private FakeKubelet kubelet;
  private final Map<String, String> environment = new HashMap<>();
  private @Nullable Process process;
  private int port;

  private NodeProgramRun(Path root) throws IOException {
    this.root = root;
    machine = FakeNics.create(root.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
    kubelet = FakeKubelet.start(root.resolve("k"), this::changed);
  }

  static NodeProgramRun prepare(BenchCluster cluster) throws IOException {
    return new NodeProgramRun(Files.createDirectories(cluster.folder().resolve("root")));
  }

  private void changed() {
    synchronized (lists) {
      lists.notifyAll();
    }
  }

  FakeNics machine() {
    return machine;
  }

  FakeKubelet kubelet() {
    return kubelet;
  }

  /** The kubelet goes and comes back, as a restart looks from outside. */
  void restartKubelet() throws IOException {
    kubelet.close();
    kubelet = FakeKubelet.start(root.resolve("k"), this::changed);
  }

  /** Puts the image below the root; not part of any measurement. */
  void unpack(Path launcher) throws IOException {
    var _ = OciArchive.of(OciArchive.newestIn(launcher.resolveSibling("target"))).unpack(root);
  }

  /** Gives the program what it needs to work with the cluster, as a pod of this node has it. */
  void connect(BenchCluster cluster, String node) throws IOException {
    environment.putAll(cluster.serviceAccount(root));
    environment.put("NODE_NAME", node);
    environment.put("NAMESPACE", cluster.namespace());
  }

  void startOurs(String program, List<String> flags) throws IOException {
    port = freePort();
    boolean isAgent = program.equals("driver-agent");
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "--root=" + root,
                "/opt/drydock/java/bin/java",
                "@/opt/drydock/%s.args".formatted(isAgent ? program : "small"),
                "cxi",
                program,
                "--host-root=/machine",
                (program.equals("metrics-exporter") ? "--metrics-port=" : "--health-port=")
                    + port));
    command.addAll(flags);
    start(command);
  }

  void startGo(Path program, Duration poll) throws IOException {
    start(
        List.of(
            program.toString(),
            "-kubelet=" + root.resolve("k"),
            "-nics=" + machine.sysfs().folder(),
            "-poll=" + poll.toMillis() + "ms"));
  }

  private void start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("log").toFile());
    builder.environment().remove("KUBECONFIG"); // of whoever runs this
    builder.environment().putAll(environment);
    process = builder.start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** Waits for a list of devices, and what it says. */
  void awaitList(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    synchronized (lists) {
      while (!condition.getAsBoolean()) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          throw failure(what);
        }
        try {
          lists.wait(left);
        } catch (InterruptedException e) {
          throw BenchFailure.interrupted(e);
        }
      }
    }
  }

  /** Waits until the program says that it is ready. */
  void awaitReady() {
    long end = System.nanoTime() + LIMIT.toNanos();
    CountDownLatch never = new CountDownLatch(1);
    while (!isReady()) {
      if (System.nanoTime() > end) {
        throw failure("it is ready");
      }
      try {
        var _ = never.await(LOOK_EVERY, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw BenchFailure.interrupted(e);
      }
    }
  }

  private boolean isReady() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:%d/readyz".formatted(port)).toURL().openConnection();
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException notYet) {
      return false;
    }
  }

  private BenchFailure failure(String what) {
    String log;
    try {
      log = Files.readString(root.resolve("log")).strip();
    } catch (IOException none) {
      log = "no log";
    }
    return new BenchFailure("not within %d s: %s: %s".formatted(LIMIT.toSeconds(), what, log));
  }

  /** What the program has in memory: the one that namespaces were made for, if they were. */
  double residentMib() {
    Process running = Objects.requireNonNull(process);
    long pid = running.children().findFirst().map(ProcessHandle::pid).orElse(running.pid());
    return ProcessMemory.resident(pid).orElseThrow() / 1024.0;
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        throw BenchFailure.interrupted(e);
      }
    }
    kubelet.close();
    var _ = CommandResult.run(List.of("rm", "-rf", root.toString()), Map.of(), "").output();
  }
}
