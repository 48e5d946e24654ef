package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeProgramsTest {
  private static Map<CxiComponent, Map<String, Object>> programs(String spec) {
    return new NodePrograms(TestDrivers.DRIVER, TestDrivers.spec(spec), TestDrivers.IMAGES)
        .wanted();
  }

  private static Map<String, Object> at(@Nullable Map<String, Object> tree, String... path) {
    Map<String, Object> at = Objects.requireNonNull(tree);
    for (String key : path) {
      at = Tree.child(at, key);
    }
    return at;
  }

  private static Map<String, Object> pod(@Nullable Map<String, Object> daemonSet) {
    return at(daemonSet, "spec", "template", "spec");
  }

  private static Map<String, Object> container(@Nullable Map<String, Object> daemonSet) {
    return Tree.children(pod(daemonSet), "containers").getFirst();
  }

  @ParameterizedTest
  @EnumSource(CxiComponent.class)
  void everyProgramHasNameLabelsOwnerSelectorAndTolerations(CxiComponent component) {
    Map<String, Object> set = programs(TestDrivers.SEED).get(component);
    Map<String, Object> labels =
        Map.of(
            "app.kubernetes.io/managed-by", "slingshot-operator",
            "app.kubernetes.io/component", component.text(),
            "app.kubernetes.io/instance", "cxi-driver");

    assertThat(at(set, "metadata").get("name")).isEqualTo("cxi-driver-" + component.text());
    assertThat(at(set, "metadata").get("namespace")).isEqualTo("slingshot-system");
    assertThat(at(set, "metadata", "labels")).isEqualTo(labels);
    assertThat(at(set, "spec", "selector", "matchLabels")).isEqualTo(labels);
    assertThat(at(set, "spec", "template", "metadata", "labels")).containsAllEntriesOf(labels);
    assertThat(Tree.children(at(set, "metadata"), "ownerReferences"))
        .singleElement()
        .satisfies(
            owner ->
                assertThat(owner)
                    .containsEntry("kind", "CXIDriver")
                    .containsEntry("uid", "uid-1")
                    .containsEntry("controller", true));
    assertThat(container(set).get("name")).isEqualTo(component.text());
    assertThat(container(set).get("image")).isEqualTo("drydock:1");
    assertThat(container(set).get("imagePullPolicy")).isEqualTo("IfNotPresent");
    assertThat(Tree.text(container(set), "args")).startsWith("[cxi, " + component.text());
    assertThat(pod(set).get("nodeSelector"))
        .isEqualTo(Map.of("feature.node.kubernetes.io/pci-1590.present", "true"));
    assertThat(pod(set).get("tolerations")).isEqualTo(List.of(Map.of("operator", "Exists")));
  }

  @ParameterizedTest
  @CsvSource({
    "DRIVER_AGENT, 8081, 30, 30, 10, 10",
    "DEVICE_PLUGIN, 8082, 10, 30, 5, 10",
    "RETRY_HANDLER, 8080, 10, 30, 5, 10",
    "METRICS_EXPORTER, 9090, 10, 30, 5, 10"
  })
  void probesAndPorts(
      CxiComponent component,
      int port,
      int delay,
      int period,
      @Nullable Integer readyDelay,
      @Nullable Integer readyPeriod) {
    Map<String, Object> container = container(programs(TestDrivers.SEED).get(component));
    assertThat(Tree.children(container, "ports").getFirst()).containsEntry("containerPort", port);
    assertThat(at(container, "livenessProbe", "httpGet")).containsEntry("path", "/healthz");
    assertThat(at(container, "livenessProbe"))
        .containsEntry("initialDelaySeconds", delay)
        .containsEntry("periodSeconds", period);
    if (readyDelay == null) {
      assertThat(container).doesNotContainKey("readinessProbe");
    } else {
      assertThat(at(container, "readinessProbe"))
          .containsEntry("initialDelaySeconds", readyDelay)
          .containsEntry("periodSeconds", readyPeriod);
      assertThat(at(container, "readinessProbe", "httpGet")).containsEntry("path", "/readyz");
    }
  }

  private static String env(Map<String, Object> container) {
    return Tree.children(container, "env").stream()
        .map(
            each ->
                Tree.text(each, "name")
                    + "="
                    + (each.containsKey("value")
                        ? Tree.text(each, "value")
                        : Tree.text(at(each, "valueFrom", "fieldRef"), "fieldPath")))
        .toList()
        .toString();
  }

  @Test
  void theAgentIsToldVersionSourceAndRevision() {
    Map<String, Object> set = programs(TestDrivers.BUILT).get(CxiComponent.DRIVER_AGENT);
    assertThat(env(container(set)))
        .isEqualTo(
            "[CXI_DRIVER_VERSION=2.0.0, DRIVER_SOURCE_TYPE=dkms, NODE_NAME=spec.nodeName,"
                + " DKMS_TAG=release/shs-2.0.0, CXI_DRIVER_REVISION=%s, NAMESPACE=slingshot-system,"
                    .formatted(TestDrivers.spec(TestDrivers.BUILT).revision())
                + " POD_UID=metadata.uid, RESOURCE_NAME=hpe.com/cxi, RETRY_HANDLER_MODE=daemonset,"
                + " DKMS_PLATFORM=cassini]");
    assertThat(at(set, "spec", "updateStrategy")).isEqualTo(Map.of("type", "OnDelete"));
    assertThat(pod(set))
        .containsEntry("serviceAccountName", "cxi-node-agent")
        .containsEntry("hostPID", true);
    assertThat(at(container(set), "resources", "limits"))
        .isEqualTo(Map.of("cpu", "2", "memory", "2Gi"));
  }

  @Test
  void thePluginIsToldNameAndSharing() {
    assertThat(env(container(programs(TestDrivers.SEED).get(CxiComponent.DEVICE_PLUGIN))))
        .isEqualTo("[RESOURCE_NAME=hpe.com/cxi, SHARING_MODE=shared, SHARED_CAPACITY=100]");
  }

  /** The mounts that can be written to. */
  private static List<Object> writable(Map<String, Object> container) {
    return Tree.children(container, "volumeMounts").stream()
        .filter(mount -> !Boolean.TRUE.equals(mount.get("readOnly")))
        .map(mount -> mount.get("mountPath"))
        .toList();
  }

  @Test
  void folderOfTheNodeAreWritableOnlyWhereNeeded() {
    assertThat(writable(container(programs(TestDrivers.BUILT).get(CxiComponent.DRIVER_AGENT))))
        .containsExactly(
            "/lib/modules",
            "/usr/src",
            "/dev",
            "/var/lib/dkms",
            "/etc/shs-dkms",
            "/var/lib/cxi-driver",
            "/run/cxi",
            "/tmp");
    String prebuilt =
        "{\"version\": \"1\", \"source\": {\"type\": \"prebuilt\", \"prebuiltCache\": \"u\"}}";
    assertThat(writable(container(programs(prebuilt).get(CxiComponent.DRIVER_AGENT))))
        .containsExactly("/lib/modules", "/dev", "/var/lib/cxi-driver", "/run/cxi", "/tmp");
    Map<CxiComponent, Map<String, Object>> seed = programs(TestDrivers.SEED);
    assertThat(writable(container(seed.get(CxiComponent.DRIVER_AGENT))))
        .containsExactly("/dev", "/var/lib/cxi-driver", "/run/cxi", "/tmp");
    assertThat(writable(container(seed.get(CxiComponent.DEVICE_PLUGIN))))
        .containsExactly("/var/lib/kubelet/device-plugins", "/run/cxi");
    assertThat(writable(container(seed.get(CxiComponent.RETRY_HANDLER))))
        .containsExactly("/dev", "/run/cxi", "/host");
    assertThat(writable(container(seed.get(CxiComponent.METRICS_EXPORTER)))).isEmpty();
  }

  @Test
  void onlyWhatTouchesTheHardwareIsPrivileged() {
    Map<CxiComponent, Map<String, Object>> all = programs(TestDrivers.SEED);
    assertThat(at(container(all.get(CxiComponent.DRIVER_AGENT)), "securityContext"))
        .isEqualTo(Map.of("privileged", true, "runAsUser", 0));
    assertThat(at(container(all.get(CxiComponent.RETRY_HANDLER)), "securityContext"))
        .containsEntry("privileged", true);
    for (CxiComponent each : List.of(CxiComponent.DEVICE_PLUGIN, CxiComponent.METRICS_EXPORTER)) {
      assertThat(at(container(all.get(each)), "securityContext"))
          .doesNotContainKey("privileged")
          .containsEntry("allowPrivilegeEscalation", false);
    }
    all.forEach(
        (component, set) ->
            assertThat(pod(set).get("automountServiceAccountToken"))
                .isEqualTo(component == CxiComponent.DRIVER_AGENT ? null : Boolean.FALSE));
  }

  @Test
  void theRetryHandlerRunsTheNodesProgramUnlessAnImageWithOneIsNamed() {
    Map<String, Object> ours =
        programs("{\"version\": \"1\", \"retryHandler\": {\"onCrash\": \"quarantine\"}}")
            .get(CxiComponent.RETRY_HANDLER);
    assertThat(container(ours).get("args"))
        .isEqualTo(
            List.of(
                "cxi",
                "retry-handler",
                "--mode=supervisor",
                "--discover=auto",
                "--on-crash=quarantine",
                "--cxi-rh-root=/host"));
    assertThat(at(container(ours), "securityContext")).containsEntry("runAsUser", 0);
    assertThat(pod(ours)).containsEntry("hostPID", true).containsEntry("hostNetwork", true);
    assertThat(Tree.children(pod(ours), "volumes"))
        .contains(Map.of("name", "node", "hostPath", Map.of("path", "/")));

    Map<String, Object> theirs =
        programs("{\"version\": \"1\", \"retryHandler\": {\"image\": \"example/rh:1\"}}")
            .get(CxiComponent.RETRY_HANDLER);
    assertThat(container(theirs).get("args"))
        .isEqualTo(
            List.of(
                "cxi",
                "retry-handler",
                "--mode=supervisor",
                "--discover=auto",
                "--on-crash=restart"));
    assertThat(writable(container(theirs))).containsExactly("/dev", "/run/cxi");
  }

  @ParameterizedTest
  @EnumSource(CxiComponent.class)
  void allAreStartedAsSmallPrograms(CxiComponent component) {
    String arguments = component == CxiComponent.DRIVER_AGENT ? "driver-agent" : "small";
    assertThat(container(programs(TestDrivers.SEED).get(component)).get("command"))
        .isEqualTo(
            List.of("/opt/drydock/java/bin/java", "@/opt/drydock/%s.args".formatted(arguments)));
  }

  @Test
  void theExporterIsScrapedAndFindsTheRetryHandlerOnlyWhereOneIs() {
    Map<String, Object> set = programs(TestDrivers.SEED).get(CxiComponent.METRICS_EXPORTER);
    assertThat(at(set, "spec", "template", "metadata", "annotations"))
        .isEqualTo(
            Map.of(
                "prometheus.io/scrape", "true",
                "prometheus.io/port", "9090",
                "prometheus.io/path", "/metrics"));
    assertThat(Tree.text(container(set), "args"))
        .isEqualTo(
            "[cxi, metrics-exporter, --metrics-port=9090, --retry-handler-url=http://localhost:8080]");
    String sidecar =
        "{\"version\": \"1\", \"retryHandler\": {\"mode\": \"sidecar\"}, \"metricsExporter\": {\"port\": 9191}}";
    assertThat(Tree.text(container(programs(sidecar).get(CxiComponent.METRICS_EXPORTER)), "args"))
        .isEqualTo("[cxi, metrics-exporter, --metrics-port=9191, --retry-handler-url=]");
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"version\": \"1\"}', '[DRIVER_AGENT, DEVICE_PLUGIN, RETRY_HANDLER, METRICS_EXPORTER]'",
    "'{\"version\": \"1\", \"retryHandler\": {\"mode\": \"none\"}}', '[DRIVER_AGENT, DEVICE_PLUGIN, METRICS_EXPORTER]'",
    "'{\"version\": \"1\", \"retryHandler\": {\"mode\": \"kernel\"}}', '[DRIVER_AGENT, DEVICE_PLUGIN, METRICS_EXPORTER]'",
    "'{\"version\": \"1\", \"retryHandler\": {\"mode\": \"sidecar\"}}', '[DRIVER_AGENT, DEVICE_PLUGIN, METRICS_EXPORTER]'",
    "'{\"version\": \"1\", \"retryHandler\": {\"enabled\": false}}', '[DRIVER_AGENT, DEVICE_PLUGIN, METRICS_EXPORTER]'",
    "'{\"version\": \"1\", \"devicePlugin\": {\"enabled\": false}, \"metricsExporter\": {\"enabled\": false}}', '[DRIVER_AGENT, RETRY_HANDLER]'"
  })
  void onlyWhatIsOnRuns(String spec, String components) {
    assertThat(programs(spec).keySet().toString()).isEqualTo(components);
  }

  @Test
  void theRetryHandlersOwnSelectorAndTolerationsCount() {
    Map<String, Object> pod =
        pod(
            programs(
                    """
                    {"version": "1", "nodeSelector": {"a": "1"}, "retryHandler": {"daemonset": {
                      "nodeSelector": {"b": "2"}, "tolerations": [{"key": "x", "operator": "Exists"}],
                      "resources": {"limits": {"cpu": "1"}}}}}
                    """)
                .get(CxiComponent.RETRY_HANDLER));
    assertThat(pod.get("nodeSelector")).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(pod.get("tolerations")).isEqualTo(List.of(Map.of("key", "x", "operator", "Exists")));
    assertThat(Tree.children(pod, "containers").getFirst().get("resources"))
        .isEqualTo(Map.of("limits", Map.of("cpu", "1")));
  }

  @Test
  void keptImagesStartWithWhatTheyKnow() {
    Map<CxiComponent, Map<String, Object>> kept =
        new NodePrograms(
                TestDrivers.DRIVER,
                TestDrivers.spec(TestDrivers.SEED),
                new OriginalImages("drydock:1", true))
            .wanted();
    assertThat(container(kept.get(CxiComponent.RETRY_HANDLER)))
        .containsEntry("image", "ghcr.io/sielicki/slingshot-operator/retry-handler:latest")
        .containsEntry("args", List.of("--mode=supervisor", "--discover=auto"));
    assertThat(container(kept.get(CxiComponent.DEVICE_PLUGIN)))
        .doesNotContainKeys("args", "command");
    assertThat(pod(kept.get(CxiComponent.RETRY_HANDLER))).doesNotContainKey("hostPID");
    assertThat(container(kept.get(CxiComponent.DRIVER_AGENT))).containsEntry("image", "drydock:1");
  }

  @Test
  void equalSpecsHaveEqualHashesAndOthersHaveNot() {
    String hash = "cxi.hpe.com/spec-hash";
    CxiComponent agent = CxiComponent.DRIVER_AGENT;
    Object first = at(programs(TestDrivers.BUILT).get(agent), "metadata", "annotations").get(hash);
    assertThat(at(programs(TestDrivers.BUILT).get(agent), "metadata", "annotations").get(hash))
        .isEqualTo(first);
    String newer = TestDrivers.BUILT.replace("2.0.0", "2.0.1");
    assertThat(at(programs(newer).get(agent), "metadata", "annotations").get(hash))
        .isNotEqualTo(first);
    assertThat(
            at(programs(newer).get(CxiComponent.DEVICE_PLUGIN), "metadata", "annotations")
                .get(hash))
        .isEqualTo(
            at(
                    programs(TestDrivers.BUILT).get(CxiComponent.DEVICE_PLUGIN),
                    "metadata",
                    "annotations")
                .get(hash));
  }
}
