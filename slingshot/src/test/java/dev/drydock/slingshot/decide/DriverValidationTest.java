package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every row of the rules, with its message. */
class DriverValidationTest {
  private static DriverValidation.Result check(String spec) {
    return DriverValidation.check(
        TestDrivers.tree(spec), null, Optional.empty(), TestDrivers.IMAGES);
  }

  private static String with(String more) {
    return "{\"version\": \"1.8.3\", \"source\": {\"type\": \"preinstalled\"}" + more + "}";
  }

  @Test
  void theDocumentedSpecIsAllowedWithOneWarningPerForeignImage() {
    DriverValidation.Result result = check(TestDrivers.SEED);
    assertThat(result.errors()).isEmpty();
    assertThat(result.warnings())
        .containsExactly(
            "spec.retryHandler.image: ghcr.io/sielicki/slingshot-operator/retry-handler:latest has another command line and is replaced by drydock:1; to start it all the same, set slingshot.originalImages to keep",
            "spec.devicePlugin.image: ghcr.io/sielicki/slingshot-operator/device-plugin:latest has another command line and is replaced by drydock:1; to start it all the same, set slingshot.originalImages to keep",
            "spec.metricsExporter.image: ghcr.io/sielicki/slingshot-operator/metrics-exporter:latest has another command line and is replaced by drydock:1; to start it all the same, set slingshot.originalImages to keep");
  }

  @Test
  void keptImagesAreNamedToo() {
    assertThat(
            DriverValidation.check(
                    TestDrivers.tree(TestDrivers.SEED),
                    null,
                    Optional.empty(),
                    new OriginalImages("drydock:1", true))
                .warnings())
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).contains("because slingshot.originalImages is keep"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"source\": {\"type\": \"preinstalled\"}} | spec.version is empty; give the driver's version, e.g. 1.8.3",
        "{\"version\": \" \", \"source\": {\"type\": \"preinstalled\"}} | spec.version is empty; give the driver's version, e.g. 1.8.3",
        "{\"version\": \"1.8.3\"} | spec.source: type dkms needs the URL of an archive in repository or url, or dkms.tag, or dkms.repositories.cxiDriver",
        "{\"version\": \"1.8.3\", \"source\": {\"repository\": \"registry/agent:1\"}} | spec.source: type dkms needs the URL of an archive in repository or url, or dkms.tag, or dkms.repositories.cxiDriver",
        "{\"version\": \"1.8.3\", \"source\": {\"type\": \"prebuilt\"}} | spec.source.prebuiltCache is empty; type prebuilt needs a base URL",
        "{\"version\": \"1.8.3\", \"source\": {\"type\": \"rpm\"}} | spec.source.type: \"rpm\" should be dkms, prebuilt or preinstalled",
      })
  void whatCannotBeCarriedOutIsRefused(String spec, String error) {
    assertThat(check(spec).errors()).containsExactly(error);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"retryHandler\": {\"mode\": \"pod\"} | spec.retryHandler.mode: \"pod\" should be daemonset, sidecar, kernel or none",
        "\"devicePlugin\": {\"sharingMode\": \"all\"} | spec.devicePlugin.sharingMode: \"all\" should be shared or exclusive",
        "\"devicePlugin\": {\"sharedCapacity\": 10001} | spec.devicePlugin.sharedCapacity: 10001 should be at most 10000",
        "\"devicePlugin\": {\"sharedCapacity\": 0} | spec.devicePlugin.sharedCapacity: 0 should be at least 1",
        "\"updateStrategy\": {\"healthCheckTimeout\": \"5 minutes\"} | spec.updateStrategy.healthCheckTimeout: \"5 minutes\" is not a time such as 5m, 90s or 1h30m",
        "\"updateStrategy\": {\"healthCheckTimeout\": \"0s\"} | spec.updateStrategy.healthCheckTimeout: \"0s\" is not a time such as 5m, 90s or 1h30m",
        "\"updateStrategy\": {\"maxUnavailable\": \"0\"} | spec.updateStrategy.maxUnavailable: \"0\" should be a number of at least 1, or a percentage from 1% to 100%",
        "\"updateStrategy\": {\"maxUnavailable\": \"0%\"} | spec.updateStrategy.maxUnavailable: \"0%\" should be a number of at least 1, or a percentage from 1% to 100%",
        "\"updateStrategy\": {\"maxUnavailable\": \"-1\"} | spec.updateStrategy.maxUnavailable: \"-1\" should be a number of at least 1, or a percentage from 1% to 100%",
        "\"updateStrategy\": {\"maxUnavailable\": \"101%\"} | spec.updateStrategy.maxUnavailable: \"101%\" should be a number of at least 1, or a percentage from 1% to 100%",
        "\"updateStrategy\": {\"maxUnavailable\": \"many\"} | spec.updateStrategy.maxUnavailable: \"many\" should be a number of at least 1, or a percentage from 1% to 100%",
      })
  void wrongValuesAreRefused(String part, String error) {
    assertThat(check(with(", " + part)).errors()).containsExactly(error);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"repository\": \"https://github.com/HewlettPackard/shs-cxi-driver/archive/refs/tags/v1.8.3.zip\"}",
        "{\"repository\": \"mirror/cxi.TAR.GZ\"}",
        "{\"url\": \"https://example.com/a.zip\"}",
        "{\"dkms\": {\"tag\": \"release/shs-13.0.0\"}}",
        "{\"dkms\": {\"repositories\": {\"cxiDriver\": {\"url\": \"u\", \"ref\": \"r\"}}}}",
        "{\"type\": \"prebuilt\", \"prebuiltCache\": \"https://example.com\"}",
        "{\"type\": \"preinstalled\"}",
      })
  void everySourceThatCanBeUsedIsAllowed(String source) {
    DriverValidation.Result result =
        check("{\"version\": \"v1.8.3-rc.1+5\", \"source\": %s}".formatted(source));
    assertThat(result.errors()).isEmpty();
    assertThat(result.warnings()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"retryHandler\": {\"mode\": \"sidecar\"} | spec.retryHandler: mode sidecar without",
        "\"retryHandler\": {\"mode\": \"kernel\"} | CONFIG_CXI_RETRY_HANDLER",
        "\"devicePlugin\": {\"sharedCapacity\": 1001} | 1001 is more than 1000 pods on one device",
        "\"driverAgent\": {\"image\": \"ghcr.io/sielicki/slingshot-operator/driver-agent:1\"} | spec.driverAgent.image: ghcr.io",
      })
  void doubtfulValuesAreWarnedAbout(String part, String warning) {
    DriverValidation.Result result = check(with(", " + part));
    assertThat(result.errors()).isEmpty();
    assertThat(result.warnings()).singleElement().asString().contains(warning);
  }

  @Test
  void aVersionThatIsNotSemanticIsWarnedAbout() {
    assertThat(check("{\"version\": \"13\", \"source\": {\"type\": \"preinstalled\"}}").warnings())
        .containsExactly("spec.version: \"13\" is not a semantic version such as 1.8.3");
  }

  @Test
  void componentsThatAreOffAreNotChecked() {
    assertThat(
            check(
                with(
                    ", \"retryHandler\": {\"enabled\": false, \"mode\": \"pod\"}, \"devicePlugin\": {\"enabled\": false, \"sharedCapacity\": 0}")))
        .isEqualTo(new DriverValidation.Result(List.of(), List.of()));
  }

  @Test
  void allErrorsStandInOneMessage() {
    DriverValidation.Result result =
        check(
            "{\"version\": \"\", \"source\": {\"type\": \"prebuilt\"}, \"updateStrategy\": {\"maxUnavailable\": \"0\", \"healthCheckTimeout\": \"x\"}}");
    assertThat(result.errors()).hasSize(4);
    assertThat(result.message())
        .startsWith("validation failed: [spec.version is empty;")
        .contains("; spec.source.prebuiltCache is empty")
        .contains("; spec.updateStrategy.healthCheckTimeout: \"x\"")
        .endsWith("from 1% to 100%]");
  }

  @Test
  void changesThatDisturbAreWarnedAbout() {
    Map<String, Object> before = TestDrivers.tree(with(""));
    DriverValidation.Result result =
        DriverValidation.check(
            TestDrivers.tree(
                with(
                    ", \"retryHandler\": {\"mode\": \"none\"}, \"devicePlugin\": {\"resourceName\": \"hpe.com/nic\"}")),
            before,
            Optional.of("other"),
            TestDrivers.IMAGES);
    assertThat(result.warnings())
        .containsExactly(
            "spec.devicePlugin.resourceName changes from hpe.com/cxi to hpe.com/nic; pods that request the old one have to be changed",
            "spec.retryHandler.mode changes from daemonset to none; retries of running applications are interrupted");
  }

  @Test
  void aSecondDriverIsWarnedThatItHasNoEffect() {
    assertThat(
            DriverValidation.check(
                    TestDrivers.tree(with("")), null, Optional.of("first"), TestDrivers.IMAGES)
                .warnings())
        .containsExactly(
            "CXIDriver \"first\" is active, and only one can be: this one has no effect until that one is deleted");
  }
}
