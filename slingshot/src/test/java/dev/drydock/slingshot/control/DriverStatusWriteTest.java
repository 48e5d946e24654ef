package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CXIDriverStatus;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.slingshot.decide.DriverStatusDecision;
import dev.drydock.slingshot.resource.CxiResources;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriverStatusWriteTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static DriverStatusDecision rollout(
      String name, @Nullable String node, @Nullable String message) {
    return new DriverStatusDecision(
        new CXIDriverStatus(
            1L,
            0,
            0,
            0,
            null,
            null,
            null,
            new CXIDriverStatus.Rollout("r", name, "1.0.0", "Running", node, message),
            null),
        List.of(new DriverStatusDecision.Said("Available", true, "Ready", "")),
        Set.of());
  }

  private static ApiObject driver(KubeHttp http) {
    return ApiObject.of(http.find(CxiResources.DRIVERS, "", "driver").orElseThrow());
  }

  @Test
  void aRolloutSaysNothingOfTheOneBeforeItAndIsWrittenOnce() {
    try (TestCluster cluster = TestCluster.simulated();
        TestProcess process = cluster.process()) {
      cluster.define(CrdCatalog.yaml());
      Kube kube = process.kube();
      ObjectNode manifest = CxiResources.DRIVERS.manifest("", "driver");
      manifest
          .putObject("spec")
          .put("version", "1.0.0")
          .putObject("source")
          .put("type", "preinstalled");
      var _ = kube.http().createOrFind(CxiResources.DRIVERS, manifest);
      try (CxiCaches caches = new CxiCaches(kube, "default", "validator", () -> {})) {
        CxiWriter writer = new CxiWriter(kube, caches);
        writer.status(driver(kube.http()), rollout("first", "node-1", "it broke"), NOW);

        writer.status(driver(kube.http()), rollout("second", null, null), NOW);

        ApiObject after = driver(kube.http());
        assertThat(after.status().path("rollout").path("campaign").asText()).isEqualTo("second");
        assertThat(after.status().path("rollout").has("node")).isFalse();
        assertThat(after.status().path("rollout").has("message")).isFalse();
        writer.status(after, rollout("second", null, null), NOW);
        assertThat(driver(kube.http()).version()).isEqualTo(after.version());
      }
    }
  }
}
