package dev.drydock.slurm;

import static java.util.Objects.requireNonNull;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.Ports;
import dev.drydock.testbed.TestbedException;
import dev.drydock.testbed.TestbedUnavailable;
import dev.drydock.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Slurm with four nodes, {@code n1} to {@code n4}, on this machine. It lives in namespaces
 * of its own, and ends when the pipe to it closes, also if this process is killed.
 */
public final class RealSlurm implements AutoCloseable {
  private static final int NODES = 4;
  private static final String SUITE = "trixie";
  private static final String PACKAGES =
      "slurmctld,slurmd,slurm-client,slurmrestd,slurm-wlm-jwt-plugin";
  private static final List<String> PROGRAMS =
      List.of("mmdebstrap", "unshare", "setpriv", "chroot", "mount");

  private final Process shell;
  private final BufferedReader answers;
  private final URI url;

  private RealSlurm(Process shell, int port) {
    this.shell = shell;
    answers =
        new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
    url = URI.create("http://127.0.0.1:" + port);
  }

  /** Skips the test where none can run, or fails it where tests must not be skipped. */
  public static void require() {
    Optional<String> missing = missing();
    if (missing.isPresent() && ClusterExtension.isRequired()) {
      throw new TestbedUnavailable(missing.get());
    }
    Assumptions.assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
  }

  private static Optional<String> missing() {
    for (String program : PROGRAMS) {
      if (!succeeds("which", program)) {
        return Optional.of("no real Slurm here: there is no " + program);
      }
    }
    return succeeds(
            "unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
        ? Optional.empty()
        : Optional.of("no real Slurm here: nothing may be mounted; run as root");
  }

  private static boolean succeeds(String... command) {
    try {
      return CommandResult.run(List.of(command), Map.of(), "").succeeded();
    } catch (TestbedException missing) {
      return false;
    }
  }

  /** Returns when all nodes are idle. */
  public static RealSlurm start(Path folder) {
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  "unshare",
                  "--mount",
                  "--pid",
                  "--fork",
                  "--kill-child",
                  "--propagation",
                  "private",
                  "bash",
                  "-c",
                  script(),
                  "real-slurm"));
      command.add(root().toString());
      command.add(Files.createDirectory(folder.resolve("slurm")).toString());
      List<Integer> ports =
          IntStream.generate(Ports::free).distinct().limit(NODES + 2).boxed().toList();
      ports.forEach(port -> command.add(port.toString()));
      Process shell =
          new ProcessBuilder(command).redirectError(folder.resolve("slurm.log").toFile()).start();
      RealSlurm slurm = new RealSlurm(shell, ports.get(1));
      boolean started = false;
      try {
        slurm.run("true"); // answered after the start
        Eventually.inRealTime()
            .atMost(Duration.ofMinutes(3))
            .until(() -> slurm.run("run sinfo -h -o %T"), "idle"::equals);
        started = true;
        return slurm;
      } finally {
        if (!started) {
          slurm.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String script() throws IOException {
    try (InputStream in = requireNonNull(RealSlurm.class.getResourceAsStream("real-slurm.sh"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Made once; of two that make it at the same time, one is kept. */
  private static Path root() throws IOException {
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    Path cache =
        Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
            .map(Path::of)
            .filter(Path::isAbsolute)
            .orElse(home)
            .resolve("drydock");
    Path root = cache.resolve("slurm-" + SUITE);
    if (Files.exists(root)) {
      return root;
    }
    Files.createDirectories(cache);
    Path made = Files.createTempDirectory(cache, "slurm-");
    var _ =
        CommandResult.run(
                List.of(
                    "mmdebstrap",
                    "--quiet",
                    "--variant=apt",
                    "--include=" + PACKAGES,
                    "--aptopt=APT::Install-Recommends \"false\"",
                    SUITE,
                    made.toString()),
                Map.of(),
                "")
            .output();
    try {
      return Files.move(made, root);
    } catch (FileAlreadyExistsException other) {
      var _ = CommandResult.run(List.of("rm", "-rf", made.toString()), Map.of(), "").output();
      return root;
    }
  }

  /** The address of slurmrestd. */
  public URI url() {
    return url;
  }

  /** Runs a command of the script, such as {@code run sinfo}, and returns what it says. */
  public synchronized String run(String command) {
    CompletableFuture<?> deadline =
        CompletableFuture.runAsync(
            shell::destroyForcibly, CompletableFuture.delayedExecutor(5, TimeUnit.MINUTES));
    try {
      shell.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
      shell.getOutputStream().flush();
      return awaitAnswer(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deadline.cancel(false);
    }
  }

  private String awaitAnswer(String command) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.equals("--- 0")) {
        return said.toString().strip();
      }
      if (line.startsWith("--- ")) {
        throw new IllegalStateException("%s: %s".formatted(command, said));
      }
      said.append(line).append('\n');
    }
    throw new IllegalStateException("Slurm has ended at %s: %s".formatted(command, said));
  }

  /** A token for root, as the file of the bridge has it. */
  public String token(int seconds) {
    return run("run scontrol token username=root lifespan=" + seconds);
  }

  /** The states of a node, like {@code idle+drain}. */
  public String state(String node) {
    String shown = run("run scontrol show node " + node);
    return shown.replaceAll("(?s).*State=(\\S+).*", "$1").toLowerCase(Locale.ROOT);
  }

  /** Starts a job on a node that runs until {@link #endJobs}, and returns its number. */
  public String job(String node, String limit) {
    return run(
        "run sbatch --parsable --exclusive -o /dev/null -w %s --time=%s --wrap 'until [ -e /run/end ]; do sleep 0.1; done'"
            .formatted(node, limit));
  }

  public void endJobs() {
    var _ = run("touch run/end");
  }

  public String jobState(String job) {
    return run("run scontrol show job " + job).replaceAll("(?s).*JobState=(\\S+).*", "$1");
  }

  @Override
  public void close() {
    shell.destroyForcibly(); // its namespace of processes ends with it
    try {
      if (!shell.waitFor(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("Slurm does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
