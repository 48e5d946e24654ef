package dev.drydock.demo;

import dev.drydock.app.Drydock;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs {@code drydock} commands in this process and shows their command lines. */
final class Shell implements AutoCloseable {
  private final Screen screen;
  private final Path kubeconfig;
  private final ChangeCounter changes;
  private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();

  Shell(Screen screen, Path kubeconfig, ChangeCounter changes) {
    this.screen = screen;
    this.kubeconfig = kubeconfig;
    this.changes = changes;
  }

  /** A started command: its output so far, and its exit code at the end. */
  record Run(List<String> said, CompletableFuture<Integer> end) {
    boolean saidAll(String... words) {
      return said.stream().anyMatch(line -> Stream.of(words).allMatch(line::contains));
    }

    int exitCode() {
      return end.join();
    }
  }

  /** Shows a command that the demo runs in another way. */
  void show(String... words) {
    screen.command(
        Stream.of(words)
            .map(word -> word.matches("[\\w./:=,|&%-]+") ? word : "'" + word + "'")
            .toList());
  }

  /** Runs a command to its end. */
  Run run(String... words) {
    Run run = start(words);
    var _ = run.exitCode();
    return run;
  }

  /** Runs a command that needs no cluster to its end. */
  Run runAlone(String... words) {
    Run run = execute(words, words);
    var _ = run.exitCode();
    return run;
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  /** Starts a command in the background. */
  Run start(String... words) {
    return execute(
        words,
        Stream.concat(Stream.of(words), Stream.of("--kubeconfig=" + kubeconfig))
            .toArray(String[]::new));
  }

  private Run execute(String[] shown, String[] arguments) {
    show(Stream.concat(Stream.of("drydock"), Stream.of(shown)).toArray(String[]::new));
    List<String> said = new CopyOnWriteArrayList<>();
    CommandLine line = Drydock.commandLine(arguments);
    line.setOut(screen.writer(text -> hear(said, text)));
    line.setErr(screen.writer(text -> hear(said, text)));
    CompletableFuture<Integer> end =
        CompletableFuture.supplyAsync(() -> line.execute(arguments), background);
    // the future that whenComplete returns completes only after the notification, which is too late
    // for readers
    var _ = end.whenComplete((code, failure) -> changes.changed());
    return new Run(said, end);
  }

  private void hear(List<String> said, String text) {
    said.add(text);
    changes.changed();
  }

  @Override
  public void close() {
    background.shutdownNow();
  }
}
