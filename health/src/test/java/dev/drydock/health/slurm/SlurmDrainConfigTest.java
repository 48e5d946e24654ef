package dev.drydock.health.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.slurm.decide.DrainPattern;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmDrainConfigTest {
  private static SlurmDrainConfig parse(String text) {
    return SlurmDrainConfig.parse(text, "monitor.toml");
  }

  @Test
  void readsTheOriginalsFile() {
    SlurmDrainConfig config =
        parse(
            """
            namespace = "slinky"
            labelSelector = "app=slurmd"
            reasonDelimiter = " | "
            maxConcurrentReconciles = 4
            resyncPeriod = "1m"
            processingStrategy = "STORE_ONLY"

            [[patterns]]
            name = "health check"
            regex = '^\\[HC\\]'
            checkName = "SlurmHealthCheck"
            componentClass = "NODE"
            isFatal = true
            message = "failed"
            recommendedAction = "RESTART_BM"

            [[patterns]]
            name = "odd"
            regex = "x"
            checkName = "Odd"
            recommendedAction = "PRAY"
            """);

    assertThat(config.namespace()).isEqualTo("slinky");
    assertThat(config.labelSelector()).isEqualTo("app=slurmd");
    assertThat(config.resyncPeriod()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.patterns().delimiter()).isEqualTo(" | ");
    assertThat(config.patterns().strategy()).isEqualTo(ProcessingStrategy.STORE_ONLY);
    DrainPattern first = config.patterns().all().getFirst();
    assertThat(first.regex().matcher("[HC] disk").find()).isTrue();
    assertThat(first.isFatal()).isTrue();
    assertThat(first.message()).isEqualTo("failed");
    assertThat(first.recommendedAction()).isEqualTo(RecommendedAction.RESTART_BM);
    assertThat(config.patterns().all().getLast().recommendedAction())
        .as("an action that nobody knows")
        .isEqualTo(RecommendedAction.CONTACT_SUPPORT);
  }

  @Test
  void anEmptyFileMeansTheShippedPattern() {
    SlurmDrainConfig config = parse("");

    assertThat(config.namespace()).isEqualTo("slurm");
    assertThat(config.labelSelector())
        .isEqualTo("app.kubernetes.io/name=slurmd,app.kubernetes.io/component=worker");
    assertThat(config.resyncPeriod()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.patterns().delimiter()).isEqualTo("; ");
    assertThat(config.patterns().all())
        .map(DrainPattern::checkName)
        .containsExactly("SlurmHealthCheck");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "namespace = |monitor.toml, line 1: not valid TOML",
        "labelSelector = 'a b'|monitor.toml: labelSelector",
        "resyncPeriod = 'soon'|monitor.toml: resyncPeriod is \"soon\", not a duration",
        "processingStrategy = 'X'|monitor.toml: processingStrategy is \"X\", which is none of",
        "patterns = [{checkName = 'c'}]|monitor.toml: patterns[0].regex is missing",
        "patterns = [{regex = 'c'}]|monitor.toml: patterns[0].checkName is missing",
        "patterns = [{checkName = 'c', regex = '['}]|monitor.toml: patterns[0].regex: "
      })
  void saysWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void namesAFileThatIsNotThere() {
    assertThatThrownBy(() -> SlurmDrainConfig.read(Path.of("/none.toml")))
        .hasMessageContaining("/none.toml");
  }
}
