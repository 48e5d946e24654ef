package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of the tests of all modules. */
record TestSources(Map<String, String> byClass) {

  static TestSources read(Path root) throws IOException {
    Map<String, String> found = new HashMap<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
              String name = file.getFileName().toString().replace(".java", "");
              found.put(name, Files.readString(file));
            }
          }
        }
      }
    }
    return new TestSources(Map.copyOf(found));
  }

  /**
   * Fails unless it is run.
   *
   * @param test {@code Class#method}
   */
  void requireRun(String test) {
    assertThat(test).as("a test").matches("\\w+#\\w+");
    String name = test.substring(0, test.indexOf('#'));
    String method = test.substring(test.indexOf('#') + 1);
    assertThat(byClass.containsKey(name)).as("whether the class of " + test + " exists").isTrue();
    String source = byClass.getOrDefault(name, "");
    int declared = source.indexOf(" void " + method + "(");
    assertThat(declared).as("the method of " + test).isPositive();
    // members are separated by empty lines
    int begin = Math.max(0, source.lastIndexOf("\n\n", declared));
    assertThat(source.substring(begin, declared))
        .as("the annotations of " + test)
        .containsPattern("@(Parameterized)?Test\\b");
    assertThat(source).as(test + " is switched off").doesNotContain("@Disabled");
    if (source.contains("abstract class " + name)) {
      Pattern heir = Pattern.compile("class \\w+ extends " + name + "\\b");
      assertThat(byClass.values())
          .as("a class that runs " + test)
          .anyMatch(each -> heir.matcher(each).find());
    }
  }
}
