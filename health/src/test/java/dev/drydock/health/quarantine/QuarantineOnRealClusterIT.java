package dev.drydock.health.quarantine;

import static dev.drydock.health.quarantine.QuarantineFixture.RULES;
import static dev.drydock.health.quarantine.QuarantineFixture.fault;
import static dev.drydock.health.quarantine.QuarantineFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.quarantine.QuarantineFixture.Operator;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On the real API server, with the rights of the manifests and not one more. */
@ClusterTest
class QuarantineOnRealClusterIT {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final String SYSTEM = "drydock-system";
  private static final String OPERATOR = "system:serviceaccount:" + SYSTEM + ":drydock-operator";

  private final ControlPlane controlPlane;

  QuarantineOnRealClusterIT(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
  }

  private static Operator operator(QuarantineFixture fixture, String rules) {
    Config config = fixture.cluster().config();
    config.setImpersonateUsername(OPERATOR);
    return fixture.operator(
        rules, false, ProcessOptions.of(RequestInterceptor.NONE).withRights(config));
  }

  private QuarantineFixture fixture() {
    TestCluster cluster = TestCluster.real(controlPlane);
    for (String file :
        List.of(
            "namespace.yaml",
            "parts/base.yaml",
            "parts/fault-quarantine.yaml",
            "parts/ingest.yaml")) {
      cluster.kubectl("", "apply", "--server-side", "-f", DEPLOY.resolve(file).toString()).output();
    }
    // the API server takes a moment to know new rights, and watches that are denied wait long
    cluster
        .eventually()
        .until(
            () ->
                cluster
                    .kubectl("", "auth", "can-i", "list", "nodes", "--as=" + OPERATOR)
                    .succeeded());
    return new QuarantineFixture(cluster, SYSTEM);
  }

  @Test
  void quarantineWithPartialRecoveryManualUncordonAndBreaker() {
    try (QuarantineFixture fixture = fixture()) {
      String sick = fixture.addNode();
      String other = fixture.addNode();
      String late = fixture.addNode();
      String rules =
          RULES.replace("percentage = 100\nduration = \"5m\"", "maxNodes = 2\nduration = \"1h\"");
      try (Operator _ = operator(fixture, rules)) {
        String first = fixture.send(fault(sick));
        fixture.eventuallyStatus(first, "Quarantined");
        assertThat(fixture.isCordoned(sick)).isTrue();
        String second =
            fixture.send(fault(sick).componentClass("NIC").checkName("NicDown").isFatal(false));
        fixture.eventuallyStatus(second, "AlreadyQuarantined");
        fixture.cluster().eventually().until(() -> events(fixture, sick) == 1);
        assertThat(fixture.node(sick).getSpec().getTaints())
            .anyMatch(taint -> taint.getKey().equals("nic"));

        fixture.eventuallyStatus(
            fixture.send(recovery(sick).componentClass("NIC").checkName("NicDown")),
            "AlreadyQuarantined");
        assertThat(fixture.node(sick).getSpec().getTaints())
            .noneMatch(taint -> taint.getKey().equals("nic"));
        assertThat(fixture.isCordoned(sick)).isTrue();

        assertThat(fixture.cluster().kubectl("", "uncordon", sick).output()).contains("uncordoned");
        fixture
            .cluster()
            .eventually()
            .until(
                () -> fixture.annotations(sick).get("quarantinedNodeUncordonedManually"),
                "True"::equals);
        assertThat(fixture.status(first)).isEqualTo("Cancelled");
        assertThat(fixture.annotations(sick)).doesNotContainKey("drydock.dev/holds");

        fixture.eventuallyStatus(fixture.send(fault(other)), "Quarantined");
        String blocked = fixture.send(fault(late));
        fixture.cluster().eventually().until(() -> breaker(fixture), "TRIPPED"::equals);
        assertThat(fixture.isCordoned(late)).isFalse();
        fixture.eventuallyStatus(fixture.send(recovery(other)), "UnQuarantined");
        assertThat(fixture.isCordoned(other)).isFalse();

        fixture
            .cluster()
            .kubectl(
                "",
                "patch",
                "configmap",
                "circuit-breaker",
                "-n",
                SYSTEM,
                "--type=merge",
                "-p",
                "{\"data\":{\"status\":\"CLOSED\"}}")
            .output();
        fixture.eventuallyStatus(blocked, "Quarantined");
        assertThat(fixture.isCordoned(late)).isTrue();
        fixture
            .cluster()
            .eventually()
            .until(
                () -> fixture.condition(late, "GpuXidError").orElseThrow().getStatus(),
                "True"::equals);
        fixture.eventuallyStatus(fixture.send(recovery(late)), "UnQuarantined");
      }
    }
  }

  private static String breaker(QuarantineFixture fixture) {
    var map =
        fixture
            .cluster()
            .client()
            .configMaps()
            .inNamespace(SYSTEM)
            .withName("circuit-breaker")
            .get();
    return map == null ? "" : map.getData().getOrDefault("status", "");
  }

  private static long events(QuarantineFixture fixture, String node) {
    List<Event> all =
        fixture.cluster().client().v1().events().inNamespace("default").list().getItems();
    return all.stream()
        .filter(event -> event.getInvolvedObject().getName().equals(node))
        .filter(event -> "NicDown".equals(event.getType()))
        .count();
  }
}
