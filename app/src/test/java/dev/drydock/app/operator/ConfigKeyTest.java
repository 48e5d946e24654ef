package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConfigKeyTest {
  @Test
  void everySettingHasAKeyAndEveryKeyIsASetting() {
    assertThat(Arrays.stream(ConfigKey.values()).map(ConfigKey::path))
        .containsExactlyElementsOf(paths("", OperatorConfig.class).toList());
  }

  /** Sections are records of the configuration itself. */
  private static Stream<String> paths(String prefix, Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            component ->
                isSection(component)
                    ? paths(prefix + component.getName() + ".", component.getType())
                    : Stream.of(prefix + component.getName()));
  }

  private static boolean isSection(RecordComponent component) {
    return component.getType().isRecord();
  }

  @Test
  void thePlaceInTheFileNamesTheFlagAndTheVariable() {
    assertThat(ConfigKey.SLA_PERIOD.flag()).isEqualTo("--sla-period");
    assertThat(ConfigKey.SLA_PERIOD.variable()).isEqualTo("DRYDOCK_SLA_PERIOD");
    assertThat(ConfigKey.METRICS_PER_OBJECT.flag()).isEqualTo("--metrics-per-object");
    assertThat(ConfigKey.METRICS_PER_OBJECT.variable()).isEqualTo("DRYDOCK_METRICS_PER_OBJECT");
  }

  @Test
  void flagsOfTheOriginalOperatorAreTaken() {
    List<String> flags =
        Arrays.stream(ConfigKey.values()).flatMap(key -> key.flags().stream()).toList();

    assertThat(flags)
        .contains(
            "--metrics-port",
            "--health-probe-bind-address",
            "--cert-dir",
            "--leader-elect",
            "--sync-period")
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(ConfigKey.class)
  void theManualDescribesIt(ConfigKey key) throws IOException {
    String row =
        "| `%s` | `%s` | `%s` | %s | %s |"
            .formatted(
                key.path(),
                key.flag(),
                key.variable(),
                key.otherwise().isEmpty() ? "none" : "`" + key.otherwise() + "`",
                key.meaning());

    assertThat(Files.readString(Path.of("..", "docs", "operator.md")).lines()).contains(row);
  }
}
