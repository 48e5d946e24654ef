package dev.drydock.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs programs of this machine to their end. */
final class Tool {
  /** What a program printed, both streams together. */
  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }

    String lastLine() {
      return output.strip().lines().reduce((_, last) -> last).orElse("it printed nothing");
    }
  }

  private Tool() {}

  /** Whatever its exit code. */
  static Result run(Path folder, List<String> command) {
    return run(folder, command, System.getenv());
  }

  private static Result run(Path folder, List<String> command, Map<String, String> environment) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageFailure("interrupted while %s runs".formatted(command.getFirst()), e);
    } catch (IOException e) {
      throw new ImageFailure("cannot run %s: %s".formatted(command.getFirst(), e.getMessage()), e);
    }
  }

  /** A program that must succeed. */
  static String require(Path folder, List<String> command) {
    return require(folder, command, System.getenv());
  }

  /** A program that must succeed, with these variables and none of this process. */
  static String require(Path folder, List<String> command, Map<String, String> environment) {
    Result result = run(folder, command, environment);
    if (!result.succeeded()) {
      throw new ImageFailure(
          "%s failed with exit code %d: %s"
              .formatted(command.getFirst(), result.exitCode(), result.lastLine()));
    }
    return result.output();
  }
}
