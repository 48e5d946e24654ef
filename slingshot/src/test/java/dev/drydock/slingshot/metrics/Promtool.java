package dev.drydock.slingshot.metrics;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Prometheus and its own checker. Debian has them in packages of these names, from 13 on. */
final class Promtool {
  private Promtool() {}

  /** Skips the test where it is missing, unless that is an error. */
  static Path program(String name) {
    Optional<Path> program =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    String missing =
        "no %s here: put that of Debian 13 on the PATH, as .ci/run does".formatted(name);
    assumeTrue(program.isPresent() || ClusterExtension.isRequired(), missing);
    return program.orElseThrow(() -> new AssertionError(missing));
  }

  static CommandResult run(String input, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(program("promtool").toString());
    command.addAll(List.of(arguments));
    return CommandResult.run(command, Map.of(), input);
  }
}
