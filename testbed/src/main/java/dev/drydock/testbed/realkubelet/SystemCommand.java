package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs system administration programs of this machine. */
final class SystemCommand {
  /** A user's PATH may lack the folders with programs for root. */
  static final String PATH =
      Optional.ofNullable(System.getenv("PATH")).map(path -> path + ":").orElse("")
          + "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private SystemCommand() {}

  static Optional<Path> find(String program) {
    return Stream.of(PATH.split(":", -1))
        .filter(folder -> !folder.isBlank())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs the program to its end, whatever its exit code. */
  static CommandResult run(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(find(program).map(Path::toString).orElse(program));
    command.addAll(List.of(arguments));
    // messages are parsed here, so they must not be translated
    return CommandResult.run(command, Map.of("PATH", PATH, "LC_ALL", "C"), "");
  }
}
