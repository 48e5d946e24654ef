package dev.drydock.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What a pom.xml tells a build: {@code --name value ...}. */
record Arguments(Map<String, String> values) {
  /** A build that returns a line about what it built. */
  @FunctionalInterface
  interface Build {
    String run(Arguments arguments) throws IOException;
  }

  /** Runs a build; unless it is required, a machine that cannot build only says why. */
  static void run(String[] words, Build build) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      values.put(words[i], words[i + 1]);
    }
    Arguments arguments = new Arguments(values);
    try {
      System.out.println(build.run(arguments));
    } catch (ImageFailure e) {
      if (arguments.text("--required").equals("true")
          || Boolean.parseBoolean(System.getenv("DRYDOCK_REQUIRE_CLUSTER"))) {
        System.err.println("error: " + e.getMessage());
        System.exit(1);
      }
      System.err.println("not built: " + e.getMessage());
    }
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  Path path(String name) {
    return Path.of(text(name)).toAbsolutePath().normalize();
  }
}
