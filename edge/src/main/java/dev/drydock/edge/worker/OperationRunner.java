package dev.drydock.edge.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs what reboots a machine or installs an image. Tests record it. */
@FunctionalInterface
public interface OperationRunner {
  /**
   * Starts a command and returns at once.
   *
   * @return its exit code
   * @throws IOException if there is no such program
   */
  CompletableFuture<Integer> run(List<String> command, Path output) throws IOException;

  /** On this machine; what the command prints goes to the end of a file. */
  OperationRunner HERE =
      (command, output) ->
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start()
              .onExit()
              .thenApply(Process::exitValue);
}
