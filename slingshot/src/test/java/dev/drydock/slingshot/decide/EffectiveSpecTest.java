package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.DrainScope;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CXIDriverSpec.UpdateType;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffectiveSpecTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"version\": \"1\"}",
        "{\"version\": \"1\", \"source\": {}, \"retryHandler\": {}, \"devicePlugin\": {}, \"metricsExporter\": {}, \"driverAgent\": {}, \"updateStrategy\": {\"drain\": {}}}"
      })
  void anAbsentPartIsTheSameAsAnEmptyOne(String json) {
    EffectiveSpec spec = TestDrivers.spec(json);
    assertThat(spec.source().type()).isEqualTo(SourceType.dkms);
    assertThat(spec.retryHandler().mode()).isEqualTo(RetryHandlerMode.daemonset);
    assertThat(spec.devicePlugin())
        .isEqualTo(
            new EffectiveSpec.DevicePlugin(
                true, "hpe.com/cxi", Optional.empty(), SharingMode.shared, 100));
    assertThat(spec.metricsExporter().enabled()).isTrue();
    assertThat(spec.metricsExporter().port()).isEqualTo(9090);
    assertThat(spec.update().type()).isEqualTo(UpdateType.RollingUpdate);
    assertThat(spec.update().maxUnavailable()).isEqualTo("10%");
    assertThat(spec.update().rollback()).isTrue();
    assertThat(spec.update().healthCheckTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(spec.update().scope()).isEqualTo(DrainScope.CXIPods);
    assertThat(spec.update().paused()).isFalse();
  }

  @Test
  void anExplicitFalseCounts() {
    EffectiveSpec spec =
        TestDrivers.spec(
            """
            {"version": "1", "retryHandler": {"enabled": false, "mode": "sidecar"},
             "devicePlugin": {"enabled": false}, "metricsExporter": {"enabled": false},
             "updateStrategy": {"rollbackOnFailure": false}}
            """);
    assertThat(spec.retryHandler().mode()).isEqualTo(RetryHandlerMode.none);
    assertThat(spec.devicePlugin().enabled()).isFalse();
    assertThat(spec.metricsExporter().enabled()).isFalse();
    assertThat(spec.update().rollback()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "https://example.com/x, https://example.com/x,",
    "mirror/driver.tgz, mirror/driver.tgz,",
    "registry.example.com/agent:1,, registry.example.com/agent:1"
  })
  void aRepositoryIsAnArchiveOrTheAgentsImage(
      String repository, @Nullable String archive, @Nullable String image) {
    EffectiveSpec spec =
        TestDrivers.spec(
            "{\"version\": \"1\", \"source\": {\"repository\": \"%s\"}}".formatted(repository));
    assertThat(spec.source().archive()).isEqualTo(Optional.ofNullable(archive));
    assertThat(spec.driverAgent().image()).isEqualTo(Optional.ofNullable(image));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "200%, 1", "garbage, 1", "15, 15", "100%, 100%"})
  void whatAdmissionWouldRefuseIsReplacedByTheMostCareful(String given, String effective) {
    assertThat(
            TestDrivers.updating("{\"maxUnavailable\": \"%s\"}".formatted(given))
                .update()
                .maxUnavailable())
        .isEqualTo(effective);
  }

  @Test
  void theRevisionIsThatOfVersionAndSourceOnly() {
    String revision = TestDrivers.spec(TestDrivers.BUILT).revision();
    assertThat(TestDrivers.updating("{\"maxUnavailable\": \"1\", \"paused\": true}").revision())
        .isEqualTo(revision);
    assertThat(
            TestDrivers.spec(
                    TestDrivers.BUILT.replace("\"type\": \"dkms\"", "\"type\": \"preinstalled\""))
                .revision())
        .isNotEqualTo(revision);
    assertThat(TestDrivers.spec(TestDrivers.BUILT.replace("2.0.0\",", "2.0.1\",")).revision())
        .isNotEqualTo(revision);
    assertThat(TestDrivers.spec(TestDrivers.BUILT.replace("shs-2.0.0", "shs-2.0.1")).revision())
        .isNotEqualTo(revision);
  }
}
