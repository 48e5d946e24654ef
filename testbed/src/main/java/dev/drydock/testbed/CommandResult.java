package dev.drydock.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The output and exit code of a finished program. */
public record CommandResult(
    List<String> command, int exitCode, String standardOutput, String standardError) {

  public CommandResult {
    command = List.copyOf(command);
  }

  /** Runs a program to its end, with this process's environment and additional variables. */
  public static CommandResult run(
      List<String> command, Map<String, String> environment, String input) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      FutureTask<String> errors = new FutureTask<>(() -> read(process.getErrorStream()));
      Thread.startVirtualThread(errors);
      Thread.startVirtualThread(() -> write(input, process.getOutputStream()));
      try {
        String output = read(process.getInputStream());
        return new CommandResult(command, process.waitFor(), output, errors.get());
      } finally {
        process.destroy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while %s runs".formatted(command.getFirst()), e);
    } catch (IOException | ExecutionException e) {
      throw new TestbedException("cannot run %s: %s".formatted(command.getFirst(), e), e);
    }
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void write(String input, OutputStream out) {
    try (out) {
      out.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // the program ended without reading all input; its exit code shows whether that matters
    }
  }

  public boolean succeeded() {
    return exitCode == 0;
  }

  /** The standard output of a program that must succeed, without surrounding white space. */
  public String output() {
    if (!succeeded()) {
      throw new TestbedException(
          "%s failed with exit code %d: %s"
              .formatted(String.join(" ", command), exitCode, standardError.strip()));
    }
    return standardOutput.strip();
  }
}
