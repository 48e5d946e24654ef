package dev.drydock.app.operator;

import static dev.drydock.app.operator.SlingshotManifests.ROOT;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What a user of kubectl and Helm sees of CXIDrivers. */
@ClusterTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CXIDriverIT {
  private static final Path SAMPLE = ROOT.resolve("config/samples/cxi_v1_cxidriver.yaml");
  private static final String INJECTOR = "mutatingwebhookconfiguration/cxi-driver-sidecar-injector";

  private final InstalledSlingshot installed;
  private final ControlPlane cluster;

  CXIDriverIT(@TempDir Path folder) throws IOException {
    installed = new InstalledSlingshot(folder);
    cluster = installed.cluster;
  }

  @AfterEach
  void removeDrivers() {
    installed.removeDrivers();
  }

  @AfterAll
  void stop() {
    installed.close();
  }

  @Test
  void theDriverOfTheReadmeIsServed() throws IOException {
    CommandResult applied = cluster.kubectl("apply", "-f", SAMPLE.toString());

    assertThat(applied.succeeded()).as(applied.toString()).isTrue();
    for (String part : List.of("retryHandler", "devicePlugin", "metricsExporter")) {
      assertThat(applied.standardError())
          .containsPattern(
              "Warning: spec\\.%s\\.image: ghcr\\.io/sielicki/slingshot-operator/\\S+ has another command line and is replaced by drydock\\.local/drydock:latest"
                  .formatted(part));
    }
    eventually(
        () ->
            installed
                .daemonSets()
                .equals(
                    List.of(
                        "cxi-driver-device-plugin",
                        "cxi-driver-driver-agent",
                        "cxi-driver-metrics-exporter",
                        "cxi-driver-retry-handler")));
    assertThat(installed.json("daemonsets").findValuesAsText("image"))
        .containsOnly("drydock.local/drydock:latest");
    assertThat(cluster.kubectl("get", "cxidrivers").output().lines().findFirst().orElse(""))
        .matches("NAME +VERSION +READY +UPDATING +FAILED +AGE *");
    assertThat(cluster.kubectl("get", "cxidrivers", "-o", "wide").output())
        .containsPattern("NAME +VERSION +READY +UPDATING +FAILED +DEGRADED +AGE");
    eventually(() -> installed.condition("cxi-driver", "DriverAgentReady").equals("Ready"));
    assertThat(
            installed.json("cxidriver/cxi-driver").path("status").path("retryHandlerMode").asText())
        .isEqualTo("daemonset");
    assertThat(
            installed
                .json("configmap/cxidriver-singleton")
                .path("data")
                .path("active-driver")
                .asText())
        .isEqualTo("cxi-driver");
    assertThat(installed.log()).doesNotContain("forbidden", "ERROR");
  }

  @Test
  void devicesArePrintedAsUsersKnowThem() {
    cluster
        .kubectlWithInput(
            """
            apiVersion: cxi.hpe.com/v1
            kind: CXIDevice
            metadata: {name: node1-cxi0}
            spec: {}
            """,
            "apply",
            "-f",
            "-")
        .output();
    cluster
        .kubectl(
            "patch",
            "cxidevice/node1-cxi0",
            "--subresource=status",
            "--type=merge",
            "-p",
            "{\"status\":{\"node\":\"node1\",\"device\":\"cxi0\",\"numaNode\":0,\"linkState\":\"up\",\"health\":{\"status\":\"Healthy\"}}}")
        .output();

    List<String> lines = cluster.kubectl("get", "cxidevices").output().lines().toList();

    assertThat(lines.getFirst()).matches("NAME +NODE +DEVICE +NUMA +LINK +HEALTH +AGE *");
    assertThat(lines.get(1)).matches("node1-cxi0 +node1 +cxi0 +0 +up +Healthy +\\S+ *");
  }

  @Test
  void whatIsSwitchedOffIsRemovedAndModesCleanUpAfterThemselves() throws IOException {
    installed
        .apply(
            "cxi-driver",
            "version: 1.0.0, source: {type: preinstalled}, devicePlugin: {enabled: false},"
                + " metricsExporter: {enabled: false}")
        .output();
    eventually(
        () ->
            installed
                .daemonSets()
                .equals(List.of("cxi-driver-driver-agent", "cxi-driver-retry-handler")));
    assertThat(
            installed
                .json("cxidriver/cxi-driver")
                .path("spec")
                .path("devicePlugin")
                .path("enabled"))
        .as("an explicit false survives the finalizer")
        .hasToString("false");

    installed.patch("{\"retryHandler\":{\"mode\":\"sidecar\",\"sidecar\":{}}}");
    eventually(() -> installed.daemonSets().equals(List.of("cxi-driver-driver-agent")));
    eventually(() -> cluster.kubectl("get", INJECTOR).succeeded());
    eventually(
        () ->
            installed.json("cxidriver/cxi-driver").path("status").path("webhookReady").asBoolean());

    installed.patch("{\"retryHandler\":{\"mode\":\"daemonset\"}}");
    eventually(
        () ->
            installed
                .daemonSets()
                .equals(List.of("cxi-driver-driver-agent", "cxi-driver-retry-handler")));
    eventually(() -> !cluster.kubectl("get", INJECTOR).succeeded());

    for (String mode : List.of("kernel", "none")) {
      installed.patch("{\"retryHandler\":{\"mode\":\"%s\"}}".formatted(mode));
      eventually(() -> installed.daemonSets().equals(List.of("cxi-driver-driver-agent")));
    }
    installed.patch("{\"retryHandler\":{\"mode\":\"sidecar\"}}");
    eventually(() -> cluster.kubectl("get", INJECTOR).succeeded());
    cluster.kubectl("delete", "cxidriver/cxi-driver", "--timeout=180s").output();
    assertThat(cluster.kubectl("get", INJECTOR).succeeded()).isFalse();
    eventually(() -> installed.daemonSets().isEmpty());
  }

  private CommandResult pod(String name, String annotations, String limits) {
    return cluster.kubectlWithInput(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: apps, annotations: {%s}}
        spec:
          schedulerName: nobody
          containers: [{name: main, image: none, resources: {limits: {%s}}}]
        """
            .formatted(name, annotations, limits),
        "apply",
        "-f",
        "-");
  }

  private JsonNode podSpec(String name) throws IOException {
    return new ObjectMapper()
        .readTree(cluster.kubectl("get", "pod", name, "-n", "apps", "-o", "json").output())
        .path("spec");
  }

  @Test
  void podsGetTheirSidecarAndWithoutAnOperatorTheyAreAdmittedWithoutOne() throws Exception {
    cluster.kubectl("create", "namespace", "apps").output();
    cluster
        .kubectl("label", "namespace", "apps", "slingshot.hpe.com/inject-sidecar=enabled")
        .output();
    installed
        .apply(
            "cxi-driver",
            "version: 1.0.0, source: {type: preinstalled}, retryHandler: {mode: sidecar, sidecar: {}}")
        .output();
    eventually(() -> cluster.kubectl("get", INJECTOR).succeeded());
    installed.redirect(INJECTOR, "sidecar-injector.slingshot.hpe.com", "/mutate-v1-pod");

    eventually(
        () -> {
          cluster.kubectl("delete", "pod", "user", "-n", "apps", "--ignore-not-found").output();
          pod("user", "", "hpe.com/cxi: 1").output();
          return podSpec("user").path("initContainers").size() == 1;
        });
    JsonNode sidecar = podSpec("user").path("initContainers").path(0);
    assertThat(sidecar.path("name").asText()).isEqualTo("cxi-retry-handler");
    assertThat(sidecar.path("restartPolicy").asText()).isEqualTo("Always");
    assertThat(sidecar.path("resources").path("limits").path("memory").asText()).isEqualTo("64Mi");
    pod("other", "", "cpu: 1").output();
    assertThat(podSpec("other").has("initContainers")).isFalse();
    pod("refusing", "slingshot.hpe.com/inject-retry-handler: 'false'", "hpe.com/cxi: 1").output();
    assertThat(podSpec("refusing").has("initContainers")).isFalse();
    assertThat(
            pod("asking", "slingshot.hpe.com/inject-retry-handler: 'true'", "cpu: 1")
                .standardError())
        .contains("no container requests hpe.com/cxi: its retry handler serves all devices");

    installed.kill();
    pod("unprotected", "", "hpe.com/cxi: 1").output();
    assertThat(podSpec("unprotected").has("initContainers")).as("it fails open").isFalse();
    CommandResult second =
        installed.apply("second", "version: 1.0.0, source: {type: preinstalled}");
    assertThat(second.succeeded()).isFalse();
    assertThat(second.standardError())
        .contains("failed calling webhook \"validate-cxidriver.slingshot.hpe.com\"");
    installed.start();
    eventually(
        () ->
            cluster
                .kubectl("get", "events", "-n", "apps", "-o", "jsonpath={.items[*].reason}")
                .output()
                .contains("RetryHandlerNotInjected"));
    cluster.kubectl("delete", "namespace", "apps", "--wait=false").output();
  }

  @Test
  void ofTwoThatAreCreatedAtOnceTheOlderIsActiveAndTheOtherIsPromoted() {
    for (int i = 0; i < 20; i++) {
      List<String> names = List.of("a" + i, "b" + i);
      CompletableFuture.allOf(
              names.stream()
                  .map(
                      name ->
                          CompletableFuture.runAsync(
                              () -> installed.create(name), Thread::startVirtualThread))
                  .toArray(CompletableFuture[]::new))
          .join();
      eventually(() -> ignored(names).size() == 1);
      String ignored = ignored(names).getFirst();
      String active =
          names.stream().filter(name -> !name.equals(ignored)).findFirst().orElseThrow();
      assertThat(installed.condition(ignored, "Degraded")).isEqualTo("AnotherCXIDriverActive");
      assertThat(created(active)).isLessThanOrEqualTo(created(ignored));
      assertThat(installed.tree(ignored).path("metadata").path("finalizers").size()).isZero();
      if (i == 0) {
        promote(active, ignored);
      }
      names.forEach(name -> installed.drivers(name).delete());
      eventually(() -> names.stream().allMatch(name -> installed.drivers(name).get() == null));
    }
  }

  @Test
  void aDriverIsDeletedOnlySoThatItsAgentsCanFinish() {
    installed.create("kept");
    for (String cascade : List.of("foreground", "orphan")) {
      eventually(
          () ->
              cluster
                  .kubectl("delete", "cxidriver", "kept", "--cascade=" + cascade, "--wait=false")
                  .standardError()
                  .contains("a CXIDriver is deleted with --cascade=background, the default"));
    }
    assertThat(installed.tree("kept").path("metadata").has("deletionTimestamp")).isFalse();
    cluster.kubectl("delete", "cxidriver", "kept").output();
  }

  private List<String> ignored(List<String> names) {
    return names.stream()
        .filter(name -> installed.condition(name, "Available").equals("Ignored"))
        .toList();
  }

  private void promote(String active, String ignored) {
    eventually(() -> installed.daemonSets().size() == 4);
    assertThat(installed.daemonSets()).allMatch(name -> name.startsWith(active + "-"));
    installed.drivers(active).delete();
    eventually(() -> installed.condition(ignored, "Degraded").isEmpty());
    eventually(
        () ->
            installed.daemonSets().size() == 4
                && installed.daemonSets().stream()
                    .allMatch(name -> name.startsWith(ignored + "-")));
  }

  private String created(String driver) {
    return installed.drivers(driver).require().getMetadata().getCreationTimestamp();
  }

  @Test
  void everyRuleIsToldToTheUser() {
    new CXIDriverRules(installed).check();
  }

  @Test
  void aDriverAgentWritesAboutItsOwnNodeOnly() throws IOException {
    new DriverAgentRights(installed).check();
  }

  private CommandResult forged(String... flags) {
    return cluster.kubectlWithInput(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: forged, namespace: default}
        spec:
          nodeObject: node1
          maintenanceID: forged
          maintenanceType: planned
          maintenanceClass: cxi-driver-rollout-1
        """,
        Stream.concat(Stream.of("create", "-f", "-"), Stream.of(flags)).toArray(String[]::new));
  }

  @Test
  void aTenantCannotNameTheClassOfARollout() {
    String report = "cxi.hpe.com/driver-report";
    cluster
        .kubectl(
            "annotate",
            "--overwrite",
            "node/node1",
            report + "={\"state\":\"Installed\",\"revision\":\"old\"}")
        .output();
    installed
        .apply(
            "cxi-driver",
            "version: 2.0.0, source: {dkms: {tag: release/shs-2}}, updateStrategy: {paused: true}")
        .output();
    eventually(() -> cluster.kubectl("get", "maintenanceclass/cxi-driver-rollout-1").succeeded());

    // the policy hears of the class a moment later
    eventually(() -> forged("--dry-run=server").standardError().contains("is not for namespace"));
    CommandResult refused = forged();

    cluster.kubectl("annotate", "node/node1", report + "-").output();
    assertThat(refused.succeeded()).isFalse();
    assertThat(refused.standardError())
        .contains(
            "MaintenanceClass \"cxi-driver-rollout-1\" is not for namespace \"default\"; it is for slingshot-system");
  }

  /**
   * The chart has created the same objects; the address of one of them was changed above, so that
   * it is given another name here.
   */
  @Test
  void theApiServerAcceptsEveryWayOfInstalling() throws IOException {
    Map<String, String> ways = new LinkedHashMap<>();
    ways.put("dist/install.yaml", Files.readString(ROOT.resolve("dist/install.yaml")));
    for (String folder : List.of("config/default", "config/crd", "config/samples")) {
      ways.put(folder, cluster.kubectl("kustomize", ROOT.resolve(folder).toString()).output());
    }
    ways.forEach(
        (way, objects) -> {
          CommandResult applied =
              cluster.kubectlWithInput(
                  objects.replace("name: slingshot-operator-cxidriver", "name: other"),
                  "apply",
                  "--server-side",
                  "--force-conflicts",
                  "--dry-run=server",
                  "-f",
                  "-");
          assertThat(applied.succeeded()).as(way + ": " + applied).isTrue();
        });
  }

  /** With the definitions of cert-manager itself; nobody issues certificates here. */
  @Test
  void whereCertManagerIsInstalledTheChartUsesItUnlessToldNotTo(@TempDir Path folder)
      throws Exception {
    List<Path> definitions = CertManagerDefinitions.in(folder);
    definitions.forEach(file -> cluster.kubectl("create", "-f", file.toString()).output());
    EstablishedDefinitions.await(cluster.client());
    try {
      installed.upgrade(true);
      assertThat(installed.json("certificate/slingshot-operator-serving-cert").path("spec"))
          .hasToString(
              "{\"dnsNames\":[\"slingshot-operator-webhook.slingshot-system.svc\",\"slingshot-operator-webhook.slingshot-system.svc.cluster.local\"],"
                  + "\"issuerRef\":{\"kind\":\"Issuer\",\"name\":\"slingshot-operator-selfsigned-issuer\"},"
                  + "\"secretName\":\"slingshot-operator-webhook-server-cert\"}");
      assertThat(installed.json("issuer/slingshot-operator-selfsigned-issuer").path("spec"))
          .hasToString("{\"selfSigned\":{}}");
      assertThat(installed.validator())
          .contains(
              "\"cert-manager.io/inject-ca-from\":\"slingshot-system/slingshot-operator-serving-cert\"");
      assertThat(installed.json("deployment/slingshot-operator").toString())
          .contains("--cert-dir=/etc/webhook-cert", "\"mountPath\":\"/etc/webhook-cert\"")
          .doesNotContain("--webhook-cert-secret");

      installed.upgrade(false);
      assertThat(cluster.kubectl("get", "certificates,issuers", "-A", "-o", "name").output())
          .isEmpty();
      assertThat(installed.json("deployment/slingshot-operator").toString())
          .contains("--webhook-cert-secret=slingshot-operator-webhook-server-cert")
          .doesNotContain("--cert-dir", "/etc/webhook-cert");
      // the operator finds the Secret empty and issues its own certificates again
      installed.restart();
    } finally {
      definitions.forEach(
          file -> cluster.kubectl("delete", "--ignore-not-found", "-f", file.toString()).output());
    }
  }
}
