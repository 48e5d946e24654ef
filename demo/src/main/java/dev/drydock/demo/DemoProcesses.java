package dev.drydock.demo;

import dev.drydock.app.Drydock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Components that run as processes of their own, with a folder for their files. They end with this
 * process, also if it is killed: the shell that started them waits for the end of its input.
 */
final class DemoProcesses implements AutoCloseable {
  private static final String GUARD = "\"$@\" </dev/null & read -r _; kill $!; wait $!";

  private final Path kubeconfig;
  private final ChangeCounter changes;
  private final Path folder;
  private final List<Process> guards = new ArrayList<>();
  private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();

  DemoProcesses(Path kubeconfig, ChangeCounter changes) {
    this.kubeconfig = kubeconfig;
    this.changes = changes;
    try {
      folder = Files.createTempDirectory("drydock-demo-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path folder() {
    return folder;
  }

  /** Starts a command; what it says is its log. */
  Shell.Run start(String... words) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "sh"));
    command.addAll(program());
    command.addAll(List.of(words));
    command.add("--kubeconfig=" + kubeconfig);
    List<String> said = new CopyOnWriteArrayList<>();
    try {
      Process guard = new ProcessBuilder(command).redirectErrorStream(true).start();
      guards.add(guard);
      return new Shell.Run(said, CompletableFuture.supplyAsync(() -> read(guard, said), readers));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As this process was started. */
  private static List<String> program() {
    return Optional.ofNullable(System.getenv("DRYDOCK_LAUNCHER"))
        .map(List::of)
        .orElseGet(
            () ->
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Drydock.class.getName()));
  }

  private int read(Process guard, List<String> said) {
    try (BufferedReader lines = guard.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
        changes.changed();
      }
      return guard.onExit().join().exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      for (Process guard : guards) {
        guard.getOutputStream().close();
      }
      guards.forEach(guard -> guard.onExit().join());
      readers.shutdownNow();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
