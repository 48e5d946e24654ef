package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every behaviour of the programs that Drydock replaces has a test, and so has every difference
 * from them that the documentation lists.
 */
class ComparisonTest {
  private static final Path ROOT = Path.of("..");

  /** The last cell: a test. */
  private static final Pattern ROW = Pattern.compile("\\| .* \\| `(\\w+#\\w+)` \\|");

  private final TestSources sources = TestSources.read(ROOT);

  ComparisonTest() throws IOException {}

  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(
      resources = {"/original/pika.csv", "/original/kssd.csv"},
      useHeadersInDisplayName = false,
      numLinesToSkip = 1)
  void everyBehaviourHasATest(String part, String behaviour, String tests) {
    assertThat(part).isNotBlank();
    assertThat(behaviour).isNotBlank();
    for (String test : tests.split(" ", -1)) {
      sources.requireRun(test);
    }
  }

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
      sources.requireRun(parts.group(1));
    }
  }

  @Test
  void aTestThatIsNotRunIsNoTest() {
    TestSources few =
        new TestSources(
            Map.of(
                "RunTest",
                    "class RunTest {\n @Test\n void runs() {}\n\n private void helps() {}\n}",
                "LostContract", "abstract class LostContract { @Test void promises() {} }",
                "OffTest", "@Disabled class OffTest { @Test void runs() {} }"));

    few.requireRun("RunTest#runs");
    for (String none :
        List.of(
            "RunTest#helps",
            "RunTest#walks",
            "NoTest#runs",
            "LostContract#promises",
            "OffTest#runs",
            "RunTest")) {
      assertThatThrownBy(() -> few.requireRun(none)).as(none).isInstanceOf(AssertionError.class);
    }
  }
}
