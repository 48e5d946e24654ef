package dev.drydock.edge.control;

import dev.drydock.edge.decide.EdgeOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs what reboots a machine or installs an image. Tests record it. */
@FunctionalInterface
public interface OperationRunner {
  /**
   * Starts an operation and returns at once.
   *
   * @param command empty for a shutdown by logind, which only waits for us
   * @param output where what the command prints goes
   * @return its exit code
   * @throws IOException if there is no such program
   */
  CompletableFuture<Integer> run(EdgeOperation operation, List<String> command, Path output)
      throws IOException;

  /** On this machine; what the command prints goes to the end of a file. */
  OperationRunner HERE =
      (_, command, output) ->
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start()
              .onExit()
              .thenApply(Process::exitValue);
}
