package dev.drydock.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.app.DrydockTest.Outcome;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights as a real API server grants them. */
@ClusterTest
class CheckCommandIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void theAdministratorMayDrain(ControlPlane cluster) {
    Outcome outcome = check(cluster.kubeconfig());

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .startsWith("Server " + cluster.server() + "/ runs Kubernetes v1.36.4.");
    assertThat(rows(outcome)).hasSize(13).allMatch(row -> row.startsWith("yes "));
  }

  @Test
  void somebodyWithoutRightsIsToldWhichAreMissing(ControlPlane cluster) {
    Outcome outcome = check(cluster.kubeconfigFor("jane"));

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(rows(outcome)).hasSize(13).allMatch(row -> row.startsWith("no "));
    assertThat(outcome.err().lines())
        .containsExactly(
            "error: 13 of 13 permissions are missing; ask the cluster's admin, or use another --context");
  }

  /**
   * The built-in role "edit" lets people evict pods where they have it, and says nothing of nodes.
   */
  @Test
  void rightsInOneNamespaceCountWhenAskedAboutIt(ControlPlane cluster, TestNamespace namespace) {
    String user = "jane-" + UUID.randomUUID();
    Path kubeconfig = cluster.kubeconfigFor(user);
    cluster
        .client()
        .rbac()
        .roleBindings()
        .inNamespace(namespace.name())
        .resource(
            new RoleBindingBuilder()
                .withNewMetadata()
                .withName("editors")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "edit")
                .addNewSubject("rbac.authorization.k8s.io", "User", user, null)
                .build())
        .create();

    assertThat(rows(check(kubeconfig))).noneMatch(row -> row.startsWith("yes "));
    Eventually.inRealTime() // a grant takes a moment to be heard of
        .untilAsserted(
            () ->
                assertThat(rows(check(kubeconfig, "--namespace", namespace.name())))
                    .anyMatch(row -> row.matches("yes +create +pods/eviction .*"))
                    .anyMatch(row -> row.matches("yes +delete +pods .*"))
                    .anyMatch(row -> row.matches("no +patch +nodes .*")));
  }

  @Test
  void programsGetTheWholeAnswer(ControlPlane cluster) throws IOException {
    Outcome outcome = check(cluster.kubeconfigFor("jane"), "--namespace", "default", "-o", "json");

    assertThat(outcome.exitCode()).isEqualTo(1);
    JsonNode report = JSON.readTree(outcome.out());
    assertThat(report.path("server").asText()).isEqualTo(cluster.server() + "/");
    assertThat(report.path("serverVersion").asText()).isEqualTo("v1.36.4");
    assertThat(report.path("context").asText()).isEqualTo("drydock-testbed");
    assertThat(report.path("namespaces").asText()).isEqualTo("default");
    assertThat(report.path("rights"))
        .hasSize(13)
        .allSatisfy(
            right -> {
              assertThat(right.path("verb").asText()).isNotEmpty();
              assertThat(right.path("resource").asText()).isNotEmpty();
              assertThat(right.path("purpose").asText()).isNotEmpty();
              assertThat(right.path("allowed").isBoolean()).isTrue();
            });
  }

  @Test
  void anUnknownContextIsOneLine(ControlPlane cluster) {
    Outcome outcome = check(cluster.kubeconfig(), "--context", "elsewhere");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines()).singleElement().asString().contains("\"elsewhere\"");
  }

  @Test
  void aServerThatStoppedIsOneLine(ControlPlane cluster, @TempDir Path folder) throws IOException {
    Outcome outcome;
    try (Socket silent = new Socket()) {
      // bound and not listening: it refuses, and nobody else gets its port
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String stopped = "https://127.0.0.1:" + silent.getLocalPort();
      String text = Files.readString(cluster.kubeconfig()).replace(cluster.server(), stopped);

      outcome = check(Files.writeString(folder.resolve("config"), text));
    }

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .startsWith("error: cannot reach the API server: connection refused");
  }

  private static Outcome check(Path kubeconfig, String... flags) {
    return DrydockTest.run(
        Stream.concat(Stream.of("--kubeconfig", kubeconfig.toString(), "check"), Stream.of(flags))
            .toArray(String[]::new));
  }

  /** The table without its head. */
  private static List<String> rows(Outcome outcome) {
    return outcome.out().lines().dropWhile(line -> !line.startsWith("ALLOWED")).skip(1).toList();
  }
}
