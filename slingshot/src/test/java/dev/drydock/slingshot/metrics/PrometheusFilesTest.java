package dev.drydock.slingshot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.metrics.decide.MetricFamily;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the repository has for Prometheus. */
class PrometheusFilesTest {
  private static final Path FOLDER = Path.of("..", "deploy", "prometheus");

  @Test
  void theScrapeConfigurationIsValid() {
    Promtool.run("", "check", "config", FOLDER.resolve("cxi-scrape.yaml").toString()).output();
  }

  @Test
  void theAlertsFireWhenTheyShouldAndOnlyThen(@TempDir Path folder) throws IOException {
    Files.copy(FOLDER.resolve("cxi-alerts.yaml"), folder.resolve("cxi-alerts.yaml"));
    try (InputStream test =
        Objects.requireNonNull(
            PrometheusFilesTest.class.getResourceAsStream("/cxi-alerts-test.yaml"))) {
      Files.copy(test, folder.resolve("test.yaml"));
    }

    Promtool.run("", "check", "rules", folder.resolve("cxi-alerts.yaml").toString()).output();
    Promtool.run("", "test", "rules", folder.resolve("test.yaml").toString()).output();
  }

  @Test
  void theAlertsAreAboutMetricsThatThereAre() throws IOException {
    List<String> known = Arrays.stream(MetricFamily.values()).map(MetricFamily::text).toList();

    List<String> used =
        Pattern.compile("\\bcxi_(device|retry|driver|scrape|last)_\\w+")
            .matcher(
                String.join(
                    "\n",
                    Files.readAllLines(FOLDER.resolve("cxi-alerts.yaml")).stream()
                        .filter(line -> line.contains("expr:"))
                        .toList()))
            .results()
            .map(MatchResult::group)
            .toList();

    assertThat(used).isNotEmpty().isSubsetOf(known);
  }
}
