package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.SYSTEM;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CXIDrivers on a real API server, which calls the webhooks of an operator that has the rights of
 * its parts and not one more.
 */
@ClusterTest
class CXIDriverIT {
  private static final String WEBHOOKS =
      "validatingwebhookconfiguration/slingshot-operator-cxidriver";

  /** As the documentation of the original has it. */
  private static final String SEED =
      """
      apiVersion: cxi.hpe.com/v1
      kind: CXIDriver
      metadata:
        name: cxi-driver
      spec:
        version: "1.8.3"
        source:
          type: preinstalled
        retryHandler:
          enabled: true
          mode: daemonset
          image: ghcr.io/sielicki/slingshot-operator/retry-handler:latest
        devicePlugin:
          enabled: true
          resourceName: "hpe.com/cxi"
          image: ghcr.io/sielicki/slingshot-operator/device-plugin:latest
          sharingMode: shared
          sharedCapacity: 100
        metricsExporter:
          enabled: true
          image: ghcr.io/sielicki/slingshot-operator/metrics-exporter:latest
          port: 9090
        nodeSelector:
          feature.node.kubernetes.io/pci-1590.present: "true"
        updateStrategy:
          type: RollingUpdate
          maxUnavailable: "10%"
          rollbackOnFailure: true
          healthCheckTimeout: "5m"
      """;

  private final ControlPlane cluster;
  private final String namespace;
  private final TestOperators operators;
  private int port;

  CXIDriverIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    operators = new TestOperators(cluster, folder);
  }

  @BeforeEach
  void startOperator() throws IOException {
    operators.define();
    operators.start(
        "cxi",
        SYSTEM,
        operators.kubeconfigWithRights(
            "parts/base.yaml",
            "parts/drain.yaml",
            "parts/maintenance.yaml",
            "parts/slingshot.yaml"),
        "--parts=drain,maintenance,slingshot");
    port = operators.port("cxi", "admission webhook");
    String manifest = Files.readString(TestOperators.DEPLOY.resolve("slingshot-webhook.yaml"));
    String here =
        Pattern.compile(" {6}service:\n(?: {8}.*\n)*? {8}path: (\\S+)\n(?: {8}.*\n)*")
            .matcher(manifest)
            .replaceAll("      url: https://127.0.0.1:%d$1\n".formatted(port));
    assertThat(here).contains("url: https://127.0.0.1").doesNotContain("service:");
    apply(here).output();
    eventually(() -> !caBundle().isEmpty());
  }

  @AfterEach
  void stop() {
    cluster.kubectl("delete", WEBHOOKS, "--ignore-not-found").output();
    cluster.kubectl("delete", "cxidrivers", "--all", "--timeout=60s").output();
    cluster.kubectl("delete", "cxidevices", "--all").output();
    operators.close();
  }

  private String caBundle() {
    return cluster
        .kubectl("get", WEBHOOKS, "-o", "jsonpath={.webhooks[0].clientConfig.caBundle}")
        .output();
  }

  private CommandResult apply(String yaml) {
    return cluster.kubectlWithInput(yaml, "apply", "-f", "-");
  }

  private static String driver(String spec) {
    return "{apiVersion: cxi.hpe.com/v1, kind: CXIDriver, metadata: {name: cxi-driver}, spec: {%s}}"
        .formatted(spec);
  }

  private String get(String what, String path) {
    return cluster.kubectl("get", what, "-n", SYSTEM, "-o", "jsonpath=" + path).standardOutput();
  }

  @Test
  void theDocumentedManifestAppliesUnchanged() {
    CommandResult applied = apply(SEED);
    assertThat(applied.output()).contains("cxidriver.cxi.hpe.com/cxi-driver created");
    assertThat(applied.standardError().lines().filter(line -> line.startsWith("Warning:")))
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).contains("is replaced by drydock.local/drydock"));
    eventually(
        () ->
            get("daemonsets", "{.items[*].metadata.name}")
                .equals(
                    "cxi-driver-device-plugin cxi-driver-driver-agent cxi-driver-metrics-exporter"
                        + " cxi-driver-retry-handler"));
    eventually(() -> get("cxidrivers", "{.items[0].status.observedGeneration}").equals("1"));
    assertThat(get("configmap/cxidriver-singleton", "{.data.active-driver}"))
        .isEqualTo("cxi-driver");

    apply(
            driver(
                "version: 1.8.3, source: {type: preinstalled}, devicePlugin: {enabled: false}, retryHandler: {enabled: false}, updateStrategy: {rollbackOnFailure: false}"))
        .output();
    eventually(
        () ->
            get("daemonsets", "{.items[*].metadata.name}")
                .equals("cxi-driver-driver-agent cxi-driver-metrics-exporter"));
    assertThat(
            get(
                "cxidriver/cxi-driver",
                "{.spec.devicePlugin.enabled} {.spec.retryHandler.enabled} {.spec.updateStrategy.rollbackOnFailure} {.metadata.finalizers}"))
        .isEqualTo("false false false [\"cxi.hpe.com/finalizer\"]");
  }

  @Test
  void devicesArePrintedAsDocumentedAndGoWithTheirNode() {
    apply("{apiVersion: v1, kind: Node, metadata: {name: node1}}").output();
    apply("{apiVersion: cxi.hpe.com/v1, kind: CXIDevice, metadata: {name: node1-cxi0}}").output();
    cluster
        .kubectl(
            "patch",
            "cxidevice",
            "node1-cxi0",
            "--subresource=status",
            "--type=merge",
            "-p",
            "{\"status\": {\"node\": \"node1\", \"device\": \"cxi0\", \"numaNode\": 0, \"linkState\": \"up\", \"health\": {\"status\": \"Healthy\"}}}")
        .output();
    List<String> lines = cluster.kubectl("get", "cxidevices").output().lines().toList();
    assertThat(lines.getFirst().split(" +"))
        .containsExactly("NAME", "NODE", "DEVICE", "NUMA", "LINK", "HEALTH", "AGE");
    assertThat(lines.get(1).split(" +"))
        .startsWith("node1-cxi0", "node1", "cxi0", "0", "up", "Healthy");

    cluster.kubectl("delete", "node", "node1").output();
    eventually(() -> get("cxidevices", "{.items[*].metadata.name}").isEmpty());
  }

  @Test
  void everyRuleIsToldByKubectl() {
    String good = "version: 1.8.3, source: {type: preinstalled}";
    List<String> refused =
        List.of(
            "version: '', source: {type: preinstalled} | spec.version is empty",
            "version: 1.8.3 | spec.source: type dkms needs",
            "version: 1.8.3, source: {type: prebuilt} | spec.source.prebuiltCache is empty",
            "version: 1.8.3, source: {type: rpm} | spec.source.type: Unsupported value: \"rpm\"",
            good
                + ", retryHandler: {mode: pod} | spec.retryHandler.mode: Unsupported value: \"pod\"",
            good
                + ", devicePlugin: {sharingMode: all} | spec.devicePlugin.sharingMode: Unsupported value",
            good + ", devicePlugin: {sharedCapacity: 0} | spec.devicePlugin.sharedCapacity",
            good
                + ", updateStrategy: {healthCheckTimeout: soon} | \"soon\" is not a time such as 5m",
            good
                + ", updateStrategy: {maxUnavailable: 0%} | \"0%\" should be a number of at least 1");
    for (String row : refused) {
      String[] parts = row.split(" \\| ", 2);
      CommandResult applied = apply(driver(parts[0]));
      assertThat(applied.exitCode()).as(row).isNotZero();
      assertThat(applied.standardError()).contains(parts[1]);
    }
    assertThat(
            apply(
                    driver(
                        "version: '', source: {type: prebuilt}, updateStrategy: {maxUnavailable: x, healthCheckTimeout: y}"))
                .standardError())
        .contains(
            "validation failed: [spec.version is empty",
            "; spec.source.prebuiltCache",
            "\"y\"",
            "\"x\"");

    apply(driver(good)).output();
    List<String> warned =
        List.of(
            "version: '13', source: {type: preinstalled} | \"13\" is not a semantic version",
            good + ", retryHandler: {mode: kernel} | CONFIG_CXI_RETRY_HANDLER",
            good
                + ", retryHandler: {mode: sidecar} | mode sidecar without spec.retryHandler.sidecar",
            good + ", devicePlugin: {sharedCapacity: 1001} | 1001 is more than 1000 pods",
            good
                + ", devicePlugin: {resourceName: hpe.com/nic} | resourceName changes from hpe.com/cxi to hpe.com/nic",
            good + ", retryHandler: {mode: none} | changes from daemonset to none");
    for (String row : warned) {
      apply(driver(good)).output();
      String[] parts = row.split(" \\| ", 2);
      CommandResult applied = apply(driver(parts[0]));
      assertThat(applied.exitCode()).as(applied.standardError()).isZero();
      assertThat(applied.standardError()).contains(parts[1]);
    }
    eventually(() -> !get("configmap/cxidriver-singleton", "{.data.active-driver}").isEmpty());
    assertThat(apply(driver(good).replace("name: cxi-driver", "name: second")).standardError())
        .contains("CXIDriver \"cxi-driver\" is active, and only one can be");
    eventually(
        () ->
            cluster
                .kubectl("get", "cxidrivers", "-o", "wide")
                .output()
                .contains("AnotherCXIDriverActive"));
  }

  @Test
  void podsGetASidecarAndAreAdmittedWithoutOneWhenNobodyAnswers() throws Exception {
    apply(
            driver(
                "version: 1.8.3, source: {type: preinstalled}, retryHandler: {mode: sidecar, sidecar: {}}"))
        .output();
    eventually(
        () ->
            get(
                    "mutatingwebhookconfiguration/cxi-driver-sidecar-injector",
                    "{.webhooks[0].failurePolicy} {.webhooks[0].clientConfig.caBundle}")
                .equals("Ignore " + caBundle()));
    assertThat(get("cxidriver/cxi-driver", "{.status.webhookReady}")).isEqualTo("true");
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: %s}
        spec:
          containers: [{name: app, image: none, resources: {limits: {hpe.com/cxi: 1}}}]
        """;
    cluster
        .kubectl("label", "namespace", namespace, "slingshot.hpe.com/inject-sidecar=enabled")
        .output();
    // the operator's Service does not exist here: the API server gets no answer
    apply(pod.formatted("unanswered", namespace)).output();
    assertThat(containers("unanswered")).isEqualTo("[app] []");

    apply(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: MutatingWebhookConfiguration
            metadata: {name: cxi-injection-test}
            webhooks:
              - name: test.slingshot.hpe.com
                admissionReviewVersions: [v1]
                sideEffects: None
                failurePolicy: Fail
                clientConfig: {url: "https://127.0.0.1:%d/mutate-v1-pod", caBundle: %s}
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
            """
                .formatted(port, caBundle(), namespace))
        .output();
    try {
      eventually(
          () -> {
            cluster
                .kubectl(
                    "delete", "pod", "answered", "-n", namespace, "--ignore-not-found", "--now")
                .output();
            apply(pod.formatted("answered", namespace)).output();
            return containers("answered").equals("[app] [cxi-retry-handler]");
          });
    } finally {
      cluster.kubectl("delete", "mutatingwebhookconfiguration/cxi-injection-test").output();
    }
    apply(driver("version: 1.8.3, source: {type: preinstalled}, retryHandler: {mode: none}"))
        .output();
    eventually(
        () ->
            cluster
                .kubectl(
                    "get",
                    "mutatingwebhookconfiguration/cxi-driver-sidecar-injector",
                    "--ignore-not-found")
                .output()
                .isEmpty());
  }

  private String containers(String pod) {
    return cluster
        .kubectl(
            "get",
            "pod",
            pod,
            "-n",
            namespace,
            "-o",
            "jsonpath=[{.spec.containers[*].name}] [{.spec.initContainers[*].name}]")
        .output();
  }

  @Test
  void ofTwoThatAreCreatedAtOnceTheOlderWinsTwentyTimes() {
    String two =
        driver("version: 1.8.3, source: {type: preinstalled}").replace("cxi-driver", "%s")
            + "\n---\n"
            + driver("version: 1.8.3, source: {type: preinstalled}").replace("cxi-driver", "%s");
    for (int i = 0; i < 20; i++) {
      String first = i % 2 == 0 ? "alpha" : "beta";
      String second = i % 2 == 0 ? "beta" : "alpha";
      apply(two.formatted(first, second)).output();
      eventually(
          () ->
              get("cxidrivers", "{.items[*].status.conditions[?(@.reason=='Ignored')].type}")
                  .equals("Available"));
      String active = get("configmap/cxidriver-singleton", "{.data.active-driver}");
      String other = active.equals("alpha") ? "beta" : "alpha";
      assertThat(created(active)).isLessThanOrEqualTo(created(other));
      assertThat(get("cxidriver/" + other, "{.status.conditions[?(@.type=='Degraded')].reason}"))
          .isEqualTo("AnotherCXIDriverActive");
      cluster.kubectl("delete", "cxidrivers", "--all").output();
    }
  }

  private String created(String driver) {
    return get("cxidriver/" + driver, "{.metadata.creationTimestamp}");
  }
}
