package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.SHORT_LEASE;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Health and metrics of operators, as a kubelet and Prometheus see them. */
@ClusterTest
class OperatorServicesIT {
  private final ControlPlane cluster;
  private final String namespace;
  private final Path folder;
  private final TestOperators operators;
  private final HttpClient client;

  OperatorServicesIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder)
      throws GeneralSecurityException {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.folder = folder;
    this.operators = new TestOperators(cluster, folder);
    this.client = HttpClient.newBuilder().sslContext(TestTls.trustingAll()).build();
  }

  @BeforeEach
  void prepare() throws IOException {
    operators.define();
  }

  @AfterEach
  void stop() {
    operators.close();
    cluster.kubectl("delete", "notifymaintenances", "--all", "-n", namespace, "--wait=false");
    // Nobody serves them any more, so nobody would let them go.
    for (String name :
        cluster
            .kubectl("get", "notifymaintenances", "-n", namespace, "-o", "name")
            .output()
            .lines()
            .toList()) {
      String none = "{\"metadata\":{\"finalizers\":null}}";
      cluster.kubectl("patch", name, "-n", namespace, "--type=merge", "-p", none).output();
    }
    client.close();
  }

  private void start(String name, String... flags) throws IOException {
    operators.start(name, namespace, cluster.kubeconfig(), flags);
  }

  private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private String ready(String name) throws IOException, InterruptedException {
    int port = operators.port(name, "/healthz and /readyz");
    HttpResponse<String> answer = get("http://127.0.0.1:" + port + "/readyz");
    return answer.statusCode() + " " + answer.body().strip();
  }

  private String metrics(String name) throws IOException, InterruptedException {
    int port = operators.port(name, "/metrics");
    return get("https://127.0.0.1:" + port + "/metrics").body();
  }

  private static String scheduled(int count) {
    return "pika_maintenance_status{maintenance_status=\"MaintenanceScheduled\""
        + ",maintenance_type=\"planned\"} "
        + count
        + ".0";
  }

  private void maintenance(String name) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("maintenance.yaml"),
            """
            apiVersion: ngn2.nvidia.com/v1alpha1
            kind: NotifyMaintenance
            metadata: {name: %s, namespace: %s}
            spec: {maintenanceID: %s, maintenanceType: planned, nodeObject: node-1}
            """
                .formatted(name, namespace, name));
    cluster.kubectl("create", "-f", file.toString()).output();
  }

  @Test
  void theLeaderCountsAndWhoTakesOverCountsTheSame() throws Exception {
    start("first", SHORT_LEASE, "--metrics-per-object=false");
    eventually(() -> ready("first").equals("200 ok: leading"));
    start("second", SHORT_LEASE, "--metrics-per-object=false");
    eventually(() -> ready("second").equals("200 ok: standing by"));
    maintenance("one");
    maintenance("two");

    eventually(() -> metrics("first").contains(scheduled(2)));
    assertThat(metrics("second")).contains(scheduled(0));
    assertThat(TestTls.speaks(operators.port("first", "/metrics"), "TLSv1.3")).isTrue();
    assertThat(TestTls.speaks(operators.port("first", "/metrics"), "TLSv1.2")).isFalse();

    operators.kill("first");

    eventually(() -> ready("second").equals("200 ok: leading"));
    eventually(() -> metrics("second").contains(scheduled(2)));
  }

  @Test
  void anOperatorThatDoesNotSeeTheClusterIsAliveButNotReady() throws Exception {
    start(
        "only",
        "--metrics-tls=false",
        "--metrics-per-object=false",
        "--webhook-enabled=false",
        "--leader-elect=false");
    eventually(() -> ready("only").equals("200 ok: leading"));
    int port = operators.port("only", "/healthz and /readyz");

    cluster.stopApiServer();
    try {
      eventually(() -> ready("only").startsWith("503 watch not in sync: "));
      assertThat(get("http://127.0.0.1:" + port + "/healthz").body()).isEqualTo("ok\n");
    } finally {
      cluster.startApiServer();
    }

    eventually(() -> ready("only").equals("200 ok: leading"));
    int metrics = operators.port("only", "/metrics");
    assertThat(get("http://127.0.0.1:" + metrics + "/metrics").body()).contains(scheduled(0));
    assertThat(get("http://127.0.0.1:" + metrics + "/metricsandmore").statusCode()).isEqualTo(404);
    assertThat(
            cluster
                .kubectl("get", "secrets", "-n", namespace, "-o", "name", "--ignore-not-found")
                .output())
        .as("who serves nothing by TLS makes no certificates")
        .doesNotContain("pika-server-cert");
  }

  @Test
  void anObjectThatCannotBeServedIsNamedWhileTheOthersAreServed() throws Exception {
    start("only", "--metrics-tls=false", "--webhook-enabled=false", "--leader-elect=false");
    eventually(() -> ready("only").equals("200 ok: leading"));
    String expired =
        "{\"test/gone\":{\"reason\":\"a test\",\"since\":\"2026-01-01T00:00:00Z\","
            + "\"until\":\"2026-01-01T00:00:01Z\"}}";
    node("bad", "mine");
    node("good", expired);

    eventually(() -> !isCordoned("good"));
    eventually(() -> ready("only").contains("degraded: holds " + namespace + "-bad: "));
    assertThat(ready("only")).startsWith("200 ok: leading\n");
    int health = operators.port("only", "/healthz and /readyz");
    assertThat(get("http://127.0.0.1:" + health + "/healthz").body()).isEqualTo("ok\n");
    assertThat(isCordoned("bad")).isTrue();
    int metrics = operators.port("only", "/metrics");
    assertThat(get("http://127.0.0.1:" + metrics + "/metrics").body())
        .contains("drydock_control_loop_failures_total{loop=\"holds\"}")
        .containsPattern("drydock_control_loop_retries_total\\{loop=\"holds\"} [1-9]");

    annotate("bad", expired);
    eventually(() -> !isCordoned("bad"));
    eventually(() -> ready("only").equals("200 ok: leading"));
  }

  /** A cordoned node with these holds. */
  private void node(String name, String holds) {
    String node =
        "apiVersion: v1\nkind: Node\nmetadata: {name: \"%s-%s\"}\nspec: {unschedulable: true}\n"
            .formatted(namespace, name);
    cluster.kubectlWithInput(node, "create", "-f", "-").output();
    annotate(name, holds);
  }

  private void annotate(String name, String holds) {
    cluster
        .kubectl(
            "annotate", "node", namespace + "-" + name, "--overwrite", "drydock.dev/holds=" + holds)
        .output();
  }

  private boolean isCordoned(String name) {
    return cluster
        .kubectl("get", "node", namespace + "-" + name, "-o", "jsonpath={.spec.unschedulable}")
        .output()
        .equals("true");
  }

  @Test
  void aPortThatIsTakenIsToldWithTheSettingToChange() throws Exception {
    start("first", "--leader-elect=false");
    int port = operators.port("first", "/metrics");

    Process second =
        operators.start("second", namespace, cluster.kubeconfig(), "--metrics-port=" + port);

    assertThat(second.waitFor()).isEqualTo(1);
    assertThat(operators.log("second"))
        .contains("error: cannot listen on port " + port + " for metrics.port:")
        .contains("set another port with --metrics-port");
  }

  @Test
  void certificatesOfAFolderAreServed() throws Exception {
    Process none =
        operators.start(
            "none", namespace, cluster.kubeconfig(), "--cert-dir=" + folder.resolve("none"));
    assertThat(none.waitFor()).isEqualTo(2);
    assertThat(operators.log("none")).contains("error: certDir: there is no ", "put tls.crt");

    start("own");
    int own = operators.port("own", "/metrics");
    eventually(() -> ready("own").startsWith("200"));
    for (String file : List.of("tls.crt", "tls.key")) {
      String path = "jsonpath={.data." + file.replace(".", "\\.") + "}";
      String data =
          cluster.kubectl("get", "secret/pika-server-cert", "-n", namespace, "-o", path).output();
      Files.write(folder.resolve(file), Base64.getDecoder().decode(data));
    }
    start("given", "--cert-dir=" + folder, "--sync-period=1s");

    assertThat(TestTls.certificate(operators.port("given", "/metrics")))
        .isEqualTo(TestTls.certificate(own));
  }
}
