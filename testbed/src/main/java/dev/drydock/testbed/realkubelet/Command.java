package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Programs of this machine's system administration. */
final class Command {
  /** A user's PATH may lack the folders of the programs that only root can use. */
  static final String PATH =
      Optional.ofNullable(System.getenv("PATH")).map(path -> path + ":").orElse("")
          + "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private Command() {}

  static Optional<Path> find(String program) {
    return Stream.of(PATH.split(":", -1))
        .filter(folder -> !folder.isBlank())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs the program to its end, whatever its exit code. */
  static CommandResult run(String... command) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.command().set(0, find(command[0]).map(Path::toString).orElse(command[0]));
      builder.environment().putAll(Map.of("PATH", PATH, "LC_ALL", "C"));
      Process process = builder.start();
      process.getOutputStream().close();
      CompletableFuture<String> errors =
          CompletableFuture.supplyAsync(
              () -> text(process.getErrorStream()), Thread::startVirtualThread);
      String output = text(process.getInputStream());
      return new CommandResult(List.of(command), process.waitFor(), output, errors.join());
    } catch (IOException e) {
      throw new TestbedException("cannot run %s: %s".formatted(command[0], e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while %s runs".formatted(command[0]), e);
    }
  }

  private static String text(InputStream in) {
    try (in) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
