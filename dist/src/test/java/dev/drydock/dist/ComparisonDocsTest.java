package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every difference from an original that the documentation lists has a test. */
class ComparisonDocsTest {
  private static final Path ROOT = Path.of("..");

  /** The last cell: a test class, and a method of it. */
  private static final Pattern ROW = Pattern.compile("\\| .* \\| `(\\w+)#(\\w+)` \\|");

  @ParameterizedTest
  @ValueSource(strings = {"from-pika.md", "from-kssd.md"})
  void everyDifferenceHasATest(String page) throws IOException {
    List<String> rows =
        Files.readAllLines(ROOT.resolve("docs").resolve(page)).stream()
            .filter(line -> line.startsWith("| "))
            .filter(line -> !line.equals("| Difference | Reason | Test |"))
            .toList();

    assertThat(rows).hasSizeGreaterThan(10);
    for (String row : rows) {
      Matcher parts = ROW.matcher(row);
      assertThat(parts.matches()).as(row).isTrue();
      Optional<Path> source = test(parts.group(1));
      assertThat(source).as("the class in: " + row).isPresent();
      assertThat(Files.readString(source.orElseThrow()))
          .as("the method in: " + row)
          .contains("void " + parts.group(2) + "(");
    }
  }

  private static Optional<Path> test(String name) throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            Optional<Path> found = files.filter(file -> file.endsWith(name + ".java")).findFirst();
            if (found.isPresent()) {
              return found;
            }
          }
        }
      }
    }
    return Optional.empty();
  }
}
