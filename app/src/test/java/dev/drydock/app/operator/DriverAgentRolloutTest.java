package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.testkit.LoopbackServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roll-outs with the driver agents themselves, on fake machines: operator and agents agree. */
class DriverAgentRolloutTest {
  private static final String DRIVER = "cxi-driver";

  @TempDir private Path folder;

  private static void publish(LoopbackServer server, String version, List<String> modules) {
    for (String module : modules) {
      String path = "/cache/%s/6.1.0-cxi-amd64/%s.ko".formatted(version, module);
      server.handle(
          path,
          exchange -> {
            boolean exact = exchange.getRequestURI().getPath().equals(path);
            LoopbackServer.answer(exchange, exact ? 200 : 404, exact ? module + " " + version : "");
          });
    }
  }

  @Test
  void aNewVersionReachesEveryNodeAndABrokenOneIsRolledBack() throws Exception {
    try (LoopbackServer server = new LoopbackServer();
        DriverRolloutFixture fixture = DriverRolloutFixture.simulatedWithoutAgents(3);
        RealDriverAgents agents = fixture.realAgents(folder)) {
      server.handle("/cache", exchange -> LoopbackServer.answer(exchange, 404, ""));
      publish(server, "1.0.0", List.of("cxi-ss1", "cxi-user"));
      publish(server, "2.0.0", List.of("cxi-ss1", "cxi-user"));
      publish(server, "3.0.0", List.of("cxi-ss1")); // one is missing
      fixture.create(
          """
          apiVersion: cxi.hpe.com/v1
          kind: CXIDriver
          metadata: {name: %s}
          spec:
            version: 1.0.0
            source: {type: prebuilt, prebuiltCache: "%s"}
            nodeSelector: {cxi: %s}
            retryHandler: {enabled: false}
            updateStrategy: {maxUnavailable: "1"}
          """
              .formatted(DRIVER, server.uri("/cache"), fixture.namespace()));
      fixture.installed(3);
      List<String> names = fixture.nodes().stream().map(ApiObject::name).toList();
      for (String node : names) {
        assertThat(agents.inPlace(node)).isEqualTo("cxi-ss1 1.0.0");
      }

      String first = fixture.wanted();
      fixture.change(DRIVER, spec -> spec.put("version", "2.0.0"));
      fixture.eventually().untilAsserted(() -> assertThat(fixture.wanted()).isNotEqualTo(first));
      String second = fixture.wanted();
      fixture
          .eventually()
          .untilAsserted(() -> assertThat(fixture.at(second)).as(fixture.described()).isEqualTo(3));
      fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
      for (String node : names) {
        assertThat(agents.inPlace(node)).isEqualTo("cxi-ss1 2.0.0");
        assertThat(agents.loads(node).lines().filter("rmmod cxi_ss1"::equals)).hasSize(1);
      }
      assertThat(fixture.mostOut()).isEqualTo(1);

      fixture.change(DRIVER, spec -> spec.put("version", "3.0.0"));
      fixture
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(fixture.reason(DRIVER, "Degraded"))
                      .as(fixture.described())
                      .isEqualTo("RolledBack"));
      assertThat(fixture.condition(DRIVER, "Degraded").path("message").asText())
          .contains("NoPrebuiltForKernel", "has no cxi-user.ko");
      fixture.eventually().untilAsserted(() -> assertThat(fixture.unschedulable()).isZero());
      assertThat(fixture.at(second)).isEqualTo(3);
      for (String node : names) {
        assertThat(agents.inPlace(node)).isEqualTo("cxi-ss1 2.0.0");
      }
      assertThat(fixture.nodes())
          .extracting(ApiObject::annotations)
          .allSatisfy(
              all ->
                  assertThat(all)
                      .containsAllEntriesOf(Map.of(CxiNames.INSTALLED_VERSION, "2.0.0")));
    }
  }
}
