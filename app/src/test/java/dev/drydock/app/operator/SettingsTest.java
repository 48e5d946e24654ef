package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.MaintenanceSettings;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {
  static List<Setting<?>> all() {
    return ConfigReader.known();
  }

  @Test
  void thePlaceInTheFileNamesTheFlagAndTheVariable() {
    assertThat(MaintenanceSettings.SLA_PERIOD.flag()).isEqualTo("--sla-period");
    assertThat(MaintenanceSettings.SLA_PERIOD.variable()).isEqualTo("DRYDOCK_SLA_PERIOD");
    assertThat(MaintenanceSettings.METRICS_PER_OBJECT.flag()).isEqualTo("--metrics-per-object");
    assertThat(MaintenanceSettings.METRICS_PER_OBJECT.variable())
        .isEqualTo("DRYDOCK_METRICS_PER_OBJECT");
  }

  @Test
  void flagsOfTheOriginalOperatorAreTaken() {
    List<String> flags =
        all().stream()
            .flatMap(
                setting -> Stream.concat(Stream.of(setting.flag()), setting.otherFlags().stream()))
            .toList();

    assertThat(flags)
        .contains(
            "--metrics-port",
            "--health-probe-bind-address",
            "--cert-dir",
            "--leader-elect",
            "--sync-period")
        .doesNotHaveDuplicates();
  }

  @Test
  void flagsAndVariablesOfTheOriginalOperatorOfCxiDriversAreTaken() {
    assertThat(all())
        .flatExtracting(Setting::otherFlags)
        .contains(
            "--health-probe-bind-address",
            "--metrics-secure",
            "--webhook-cert-path",
            "--retry-handler-image");
    assertThat(all()).flatExtracting(Setting::otherVariables).contains("RETRY_HANDLER_IMAGE");
    assertThat(all()).flatExtracting(Setting::variables).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theManualDescribesIt(Setting<?> key) throws IOException {
    String row =
        "| `%s` | `%s` | `%s` | %s | %s |"
            .formatted(
                key.path(),
                key.flag(),
                key.variable(),
                key.defaultText().isEmpty() ? "none" : "`" + key.defaultText() + "`",
                key.description());

    assertThat(manual()).contains(row);
  }

  static List<Feature> parts() {
    return Features.load().all();
  }

  @ParameterizedTest
  @MethodSource("parts")
  void theManualHasThePart(Feature part) throws IOException {
    String row =
        "| `%s` | %s | %s | "
            .formatted(part.part(), part.summary(), part.onlyIfNamed() ? "no" : "yes");

    assertThat(manual()).anyMatch(line -> line.startsWith(row));
  }

  private static List<String> manual() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "operator.md"));
  }
}
