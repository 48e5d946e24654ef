package dev.drydock.app.operator;

import static dev.drydock.app.operator.SlingshotManifests.NAME;
import static dev.drydock.app.operator.SlingshotManifests.NAMESPACE;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The chart, installed by Helm on a cluster of its own with two nodes; the operator has the
 * arguments and the rights of the chart and not one more. Only the address of its webhooks is
 * another, because the cluster has no network for Services.
 */
final class InstalledSlingshot implements AutoCloseable {
  private static final String VALIDATOR =
      "validatingwebhookconfiguration/slingshot-operator-cxidriver";

  final ControlPlane cluster = ControlPlane.start();
  private final TestCluster test = TestCluster.real(cluster);
  final TestOperators operators;
  private final Path kubeconfig;
  private final List<String> arguments;
  private int port;
  private int starts;

  InstalledSlingshot(Path folder) throws IOException {
    operators = new TestOperators(cluster, folder);
    new Helm(SlingshotManifests.CHART)
        .install()
        .withName(NAME)
        .withNamespace(NAMESPACE)
        .createNamespace()
        .withKubeConfig(cluster.kubeconfig())
        .call();
    EstablishedDefinitions.await(cluster.client());
    test.addNodes(
        2,
        "node",
        NodeTemplate.DEFAULT
            .withLabel("feature.node.kubernetes.io/pci-1590.present", "true")
            .withCapacity("hpe.com/cxi", "100"));
    JsonNode deployment = json("deployment/" + NAME);
    List<String> words = new ArrayList<>();
    deployment
        .path("spec")
        .path("template")
        .path("spec")
        .path("containers")
        .path(0)
        .path("args")
        .forEach(each -> words.add(each.asText()));
    assertThat(words.removeFirst()).isEqualTo("operator");
    words.removeIf(word -> Pattern.matches("--(metrics-port|webhook-port|health-probe).*", word));
    arguments = List.copyOf(words);
    kubeconfig = operators.kubeconfigOf(NAME, NAMESPACE);
    start();
  }

  void start() throws IOException {
    String name = "slingshot-" + ++starts;
    operators.start(name, NAMESPACE, kubeconfig, arguments.toArray(String[]::new));
    port = operators.port(name, "admission webhook");
    redirect(
        VALIDATOR, "validate-cxidriver.slingshot.hpe.com", "/validate-cxi-hpe-com-v1-cxidriver");
    eventually(() -> log().contains("leading"));
    eventually(() -> dryRun("version: 1.0.0, source: {type: preinstalled}").succeeded());
  }

  void restart() throws IOException, InterruptedException {
    kill();
    start();
  }

  String log() throws IOException {
    return operators.log("slingshot-" + starts);
  }

  /** Keeps the CA, which the operator has written. */
  void redirect(String configuration, String webhook, String path) {
    cluster
        .kubectl(
            "patch",
            configuration,
            "--type=strategic",
            "-p",
            """
            {"webhooks": [{"name": "%s", "clientConfig": {"service": null, "url": "https://127.0.0.1:%d%s"}}]}
            """
                .formatted(webhook, port, path))
        .output();
  }

  /** The operator dies, and leaves its Lease; another one can lead at once. */
  void kill() throws InterruptedException {
    operators.kill("slingshot-" + starts);
    cluster.kubectl("delete", "lease", "bf7f9b28.hpe.com", "-n", NAMESPACE).output();
  }

  /** With the address of the webhook as the chart has it: Helm would add it to the other one. */
  void upgrade(boolean certManager) {
    cluster
        .kubectl(
            "patch",
            VALIDATOR,
            "--type=strategic",
            "-p",
            """
            {"webhooks": [{"name": "validate-cxidriver.slingshot.hpe.com", "clientConfig": {
              "url": null, "service": {"namespace": "slingshot-system", "name": "slingshot-operator-webhook",
                "path": "/validate-cxi-hpe-com-v1-cxidriver", "port": 443}}}]}
            """)
        .output();
    var _ =
        new Helm(SlingshotManifests.CHART)
            .upgrade()
            .withName(NAME)
            .withNamespace(NAMESPACE)
            .withKubeConfig(cluster.kubeconfig())
            .set("webhook.certManager.enabled", certManager)
            .call();
  }

  String validator() {
    return cluster.kubectl("get", VALIDATOR, "-o", "json").output().replace("\": \"", "\":\"");
  }

  JsonNode json(String object) throws IOException {
    return new ObjectMapper()
        .readTree(cluster.kubectl("get", object, "-n", NAMESPACE, "-o", "json").output());
  }

  static String driver(String name, String spec) {
    return """
        apiVersion: cxi.hpe.com/v1
        kind: CXIDriver
        metadata: {name: %s}
        spec: {%s}
        """
        .formatted(name, spec);
  }

  void create(String name) {
    var _ =
        cluster
            .client()
            .genericKubernetesResources("cxi.hpe.com/v1", "CXIDriver")
            .load(
                new ByteArrayInputStream(
                    driver(name, "version: 1.0.0, source: {type: preinstalled}")
                        .getBytes(StandardCharsets.UTF_8)))
            .create();
  }

  CommandResult apply(String name, String spec) {
    return cluster.kubectlWithInput(driver(name, spec), "apply", "-f", "-");
  }

  CommandResult dryRun(String spec) {
    return cluster.kubectlWithInput(
        driver("checked", spec), "apply", "--dry-run=server", "-f", "-");
  }

  void patch(String spec) {
    cluster
        .kubectl("patch", "cxidriver/cxi-driver", "--type=merge", "-p", "{\"spec\":" + spec + "}")
        .output();
  }

  List<String> daemonSets() {
    return cluster.client().apps().daemonSets().inNamespace(NAMESPACE).list().getItems().stream()
        .map(each -> each.getMetadata().getName())
        .sorted()
        .toList();
  }

  Resource<GenericKubernetesResource> drivers(String name) {
    return cluster
        .client()
        .genericKubernetesResources("cxi.hpe.com/v1", "CXIDriver")
        .withName(name);
  }

  JsonNode tree(String driver) {
    return new ObjectMapper().valueToTree(drivers(driver).require());
  }

  /** The reason of a condition; empty if there is no such condition. */
  String condition(String driver, String type) {
    for (JsonNode each : tree(driver).path("status").path("conditions")) {
      if (each.path("type").asText().equals(type)) {
        return each.path("reason").asText();
      }
    }
    return "";
  }

  void removeDrivers() {
    cluster.kubectl("delete", "cxidrivers", "--all", "--timeout=180s").output();
  }

  @Override
  public void close() {
    operators.close();
    test.close();
    cluster.close();
  }
}
