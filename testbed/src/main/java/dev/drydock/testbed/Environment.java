package dev.drydock.testbed;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The environment variables and the home folder that determine where programs are found. */
record Environment(Map<String, String> variables, Path home) {

  Environment {
    variables = Map.copyOf(variables);
  }

  static Environment ofProcess() {
    return new Environment(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /** An empty variable counts as unset, as in the programs that define these variables. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
  }

  boolean isTrue(String name) {
    return variable(name).filter("true"::equalsIgnoreCase).isPresent();
  }

  Path cacheFolder() {
    return variable("XDG_CACHE_HOME")
        .map(Path::of)
        // the XDG specification says to ignore relative paths
        .filter(Path::isAbsolute)
        .orElse(home.resolve(".cache"));
  }

  Optional<Path> findOnPath(String program) {
    return variable("PATH").stream()
        .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
        .filter(folder -> !folder.isBlank())
        .map(folder -> Path.of(folder).resolve(program))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst();
  }
}
