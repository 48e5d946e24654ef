package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandResult;
import java.util.List;

/** Every rule for CXIDrivers, with the message that a user of kubectl is shown. */
record CXIDriverRules(InstalledSlingshot installed) {
  private static final String FINE = "version: 1.0.0, source: {type: preinstalled}";
  private static final String NO_VERSION =
      "spec.version is empty; give the driver's version, e.g. 1.8.3";
  private static final String NO_SOURCE =
      "spec.source: type dkms needs the URL of an archive in repository or url, or dkms.tag, or dkms.repositories.cxiDriver";

  void check() {
    checkRefusals();
    checkWarnings();
    checkChanges();
  }

  private void checkRefusals() {
    denied("version: '', source: {type: preinstalled}", NO_VERSION);
    denied("version: 1.0.0, source: {type: dkms}", NO_SOURCE);
    denied(
        "version: 1.0.0, source: {type: prebuilt}",
        "spec.source.prebuiltCache is empty; type prebuilt needs a base URL");
    denied(
        FINE + ", updateStrategy: {healthCheckTimeout: soon}",
        "spec.updateStrategy.healthCheckTimeout: \"soon\" is not a time such as 5m, 90s or 1h30m");
    for (String amount : List.of("0", "0%", "-1", "101%", "many")) {
      denied(
          FINE + ", updateStrategy: {maxUnavailable: '%s'}".formatted(amount), unavailable(amount));
    }
    denied(
        FINE + ", devicePlugin: {sharedCapacity: 10001}",
        "spec.devicePlugin.sharedCapacity: 10001 should be at most 10000");
    denied(
        "version: '', source: {type: dkms}, updateStrategy: {maxUnavailable: many}",
        NO_VERSION + "; " + NO_SOURCE + "; " + unavailable("many"));
    // the definition refuses these before the webhook is asked
    refused(
        "version: 1.0.0, source: {type: tar}",
        "spec.source.type: Unsupported value: \"tar\": supported values: \"dkms\", \"prebuilt\", \"preinstalled\"");
    refused(
        FINE + ", retryHandler: {mode: magic}",
        "spec.retryHandler.mode: Unsupported value: \"magic\": supported values: \"daemonset\", \"kernel\", \"none\", \"sidecar\"");
    refused(
        FINE + ", devicePlugin: {sharingMode: some}",
        "spec.devicePlugin.sharingMode: Unsupported value: \"some\": supported values: \"exclusive\", \"shared\"");
    refused(
        FINE + ", devicePlugin: {sharedCapacity: 0}",
        "spec.devicePlugin.sharedCapacity: Invalid value: 0: spec.devicePlugin.sharedCapacity in body should be greater than or equal to 1");
  }

  private static String unavailable(String amount) {
    return "spec.updateStrategy.maxUnavailable: \"%s\" should be a number of at least 1, or a percentage from 1%% to 100%%"
        .formatted(amount);
  }

  private void checkWarnings() {
    warned(
        "version: latest, source: {type: preinstalled}",
        "spec.version: \"latest\" is not a semantic version such as 1.8.3");
    warned(
        FINE + ", retryHandler: {mode: sidecar}",
        "spec.retryHandler: mode sidecar without spec.retryHandler.sidecar uses its defaults, 10m and 32Mi requested, at most 100m and 64Mi");
    warned(
        FINE + ", devicePlugin: {sharedCapacity: 1001}",
        "spec.devicePlugin.sharedCapacity: 1001 is more than 1000 pods on one device");
    warned(
        FINE + ", retryHandler: {mode: kernel}",
        "spec.retryHandler: mode kernel needs a preinstalled driver that was built with CONFIG_CXI_RETRY_HANDLER");
    for (String field : List.of("driverAgent", "retryHandler", "devicePlugin", "metricsExporter")) {
      String image = "ghcr.io/sielicki/slingshot-operator/x:1";
      warned(
          FINE + ", %s: {image: %s}".formatted(field, image),
          "spec.%s.image: %s has another command line and is replaced by drydock.local/drydock:latest; to start it all the same, set slingshot.originalImages to keep"
              .formatted(field, image));
    }
  }

  /** Of the driver that is active, and beside it. */
  private void checkChanges() {
    installed.apply("cxi-driver", FINE).output();
    eventually(() -> installed.dryRun(FINE).standardError().contains("is active"));
    warned(
        FINE,
        "CXIDriver \"cxi-driver\" is active, and only one can be: this one has no effect until that one is deleted");
    assertWarning(
        installed.apply("cxi-driver", FINE + ", devicePlugin: {resourceName: hpe.com/c2}"),
        "spec.devicePlugin.resourceName changes from hpe.com/cxi to hpe.com/c2; pods that request the old one have to be changed");
    assertWarning(
        installed.apply("cxi-driver", FINE + ", retryHandler: {mode: none}"),
        "spec.retryHandler.mode changes from daemonset to none; retries of running applications are interrupted");
  }

  private void denied(String spec, String errors) {
    refused(
        spec,
        "admission webhook \"validate-cxidriver.slingshot.hpe.com\" denied the request: validation failed: [%s]"
            .formatted(errors));
  }

  private void refused(String spec, String message) {
    CommandResult result = installed.dryRun(spec);
    assertThat(result.succeeded()).as(result.toString()).isFalse();
    assertThat(result.standardError()).contains(message);
  }

  private void warned(String spec, String message) {
    assertWarning(installed.dryRun(spec), message);
  }

  private static void assertWarning(CommandResult result, String message) {
    assertThat(result.succeeded()).as(result.toString()).isTrue();
    assertThat(result.standardError()).contains("Warning: " + message);
  }
}
