package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.SYSTEM;
import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user of kubectl is told about NotifyMaintenances, by an operator that has the rights of
 * the manifests and not one more.
 */
@ClusterTest
class AdmissionIT {
  private static final String WEBHOOKS = "validatingwebhookconfiguration/drydock";

  private final ControlPlane cluster;
  private final String namespace;
  private final Path folder;
  private final TestOperators operators;
  private final String node;

  AdmissionIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.folder = folder;
    this.operators = new TestOperators(cluster, folder);
    this.node = namespace.name() + "-one";
  }

  @BeforeEach
  void prepare() throws IOException {
    operators.define();
    operators.allowJobs(namespace);
    cluster
        .client()
        .resource(new NodeBuilder().withNewMetadata().withName(node).endMetadata().build())
        .create();
  }

  @AfterEach
  void stop() {
    operators.close();
    cluster.kubectl("delete", WEBHOOKS, "--ignore-not-found").output();
    String policy = TestOperators.DEPLOY.resolve("policy.yaml").toString();
    cluster.kubectl("delete", "-f", policy, "--ignore-not-found").output();
    cluster.client().nodes().withName(node).delete();
    cluster.kubectl("delete", "secret/pika-server-cert", "-n", SYSTEM, "--ignore-not-found");
  }

  /** Has the API server ask the operator on the loopback about this namespace only. */
  private void ask(int port) throws IOException {
    String manifest = Files.readString(TestOperators.DEPLOY.resolve("webhook.yaml"));
    assertThat(manifest).contains("path: /validate-ngn2-nvidia-com-v1alpha1-notifymaintenance\n");
    String here =
        Pattern.compile(" {6}service:\n(?: {8}.*\n)*? {8}path: (\\S+)\n(?: {8}.*\n)*")
            .matcher(manifest)
            .replaceAll(
                """
                      url: https://127.0.0.1:%d$1
                    namespaceSelector:
                      matchLabels:
                        kubernetes.io/metadata.name: %s
                """
                    .formatted(port, namespace));
    assertThat(here).doesNotContain("service:");
    Path file = Files.writeString(folder.resolve("webhook.yaml"), here);
    cluster.kubectl("apply", "-f", file.toString()).output();
    eventually(() -> !caBundle().isEmpty());
    // before the API server asks, it accepts everything
    eventually(
        () ->
            create("none", "fw-0", "nodeObject: no-such-node", "--dry-run=server")
                .standardError()
                .contains("denied the request: spec.nodeObject: "));
  }

  private String caBundle() {
    return cluster
        .kubectl("get", WEBHOOKS, "-o", "jsonpath={.webhooks[0].clientConfig.caBundle}")
        .output();
  }

  private CommandResult create(String name, String id, String more, String... flags)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            """
            apiVersion: ngn2.nvidia.com/v1alpha1
            kind: NotifyMaintenance
            metadata:
              name: %s
              finalizers: [ngn2.nvidia.com/finalNotice]
            spec: {maintenanceID: %s, maintenanceType: planned, %s}
            """
                .formatted(name, id, more));
    return kubectl(
        Stream.concat(Stream.of("create", "-f", file.toString()), Stream.of(flags))
            .toArray(String[]::new));
  }

  private CommandResult create(String name, String id) throws IOException {
    return create(name, id, "nodeObject: " + node);
  }

  private String annotated(String annotation) throws IOException {
    return Files.writeString(
            folder.resolve("annotated.yaml"),
            """
            apiVersion: ngn2.nvidia.com/v1alpha1
            kind: NotifyMaintenance
            metadata: {name: annotated, annotations: {%s}}
            spec: {maintenanceID: fw, maintenanceType: planned, nodeObject: %s}
            """
                .formatted(annotation, node))
        .toString();
  }

  private CommandResult kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("-n", namespace));
    return cluster.kubectl(all.toArray(String[]::new));
  }

  private CommandResult annotate(String name, String annotation) {
    return kubectl("annotate", "--overwrite", "notifymaintenance", name, annotation);
  }

  private void letGo(String name) {
    kubectl(
            "patch",
            "notifymaintenance",
            name,
            "--type=merge",
            "-p",
            "{\"metadata\":{\"finalizers\":[]}}")
        .output();
    kubectl("delete", "notifymaintenance", name, "--timeout=180s").output();
  }

  private static void assertRefused(CommandResult result, String... words) {
    assertThat(result.succeeded()).as(result.toString()).isFalse();
    assertThat(result.standardError()).contains(words);
  }

  @Test
  void thePolicyJudgesAnnotationsWithoutAnOperator() throws IOException {
    create("one", "fw-1").output();
    annotate("one", "maintenance/validationClient=from-before").output();
    String policy = TestOperators.DEPLOY.resolve("policy.yaml").toString();
    cluster.kubectl("apply", "-f", policy).output();
    AtomicInteger tries = new AtomicInteger();
    eventually(
        () ->
            !annotate("one", "maintenance/readyForMaintenance=" + tries.incrementAndGet())
                .succeeded());

    assertRefused(
        annotate("one", "maintenance/readyForMaintenance=maybe"),
        "metadata.annotations[maintenance/readyForMaintenance]: \"maybe\" should be true or false");
    assertRefused(
        annotate("one", "maintenance/readyForMaintenance="),
        "metadata.annotations[maintenance/readyForMaintenance]: \"\" should be true or false");
    assertRefused(
        annotate("one", "maintenance/maintenanceClient=done"),
        "metadata.annotations[maintenance/maintenanceClient]: \"done\" should be inprogress");
    assertRefused(
        annotate("one", "maintenance/validationClient=ok"),
        "metadata.annotations[maintenance/validationClient]: \"ok\" should be inprogress");
    annotate("one", "maintenance/readyForMaintenance=false").output();
    annotate("one", "maintenance/readyForMaintenance=true").output();
    assertRefused(
        annotate("one", "maintenance/readyForMaintenance=false"),
        "metadata.annotations[maintenance/readyForMaintenance]: true is final");
    annotate("one", "maintenance/maintenanceClient=inprogress").output();
    annotate("one", "maintenance/maintenanceClient=complete").output();
    assertRefused(
        annotate("one", "maintenance/maintenanceClient=incomplete"),
        "metadata.annotations[maintenance/maintenanceClient]: complete is final");
    annotate("one", "maintenance/maintenanceClient-").output();
    annotate("one", "maintenance/validationClient=validated").output();
    assertRefused(
        annotate("one", "maintenance/validationClient=failed"),
        "metadata.annotations[maintenance/validationClient]: validated is final");
    annotate("one", "any/other=value").output();
    letGo("one");
    assertRefused(
        kubectl("create", "-f", annotated("maintenance/readyForMaintenance: yes-please")),
        "metadata.annotations[maintenance/readyForMaintenance]: \"yes-please\" should be");
  }

  @Test
  void theWebhookNamesTheFieldThatNamesNothing() throws IOException {
    operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());
    ask(operators.port("only", "admission webhook"));
    eventually(() -> create("one", "fw-1").succeeded());

    assertRefused(
        create("two", "fw-1"),
        "admission webhook \"vnotifymaintenance.kb.io\" denied the request: spec.maintenanceID:",
        "NotifyMaintenance " + namespace + "/one has the ID \"fw-1\" on node \"" + node + "\"");
    assertRefused(
        create("two", "fw-2", "nodeObject: no-such-node"),
        "spec.nodeObject: node \"no-such-node\" does not exist");
    assertRefused(
        create("two", "fw-2", "metadataConfigmap: meta, nodeObject: " + node),
        "spec.metadataConfigmap: ConfigMap \"meta\" does not exist in namespace");
    assertRefused(
        create("two", "fw-2", "maintenanceClass: gpu, nodeObject: " + node),
        "spec.maintenanceClass: MaintenanceClass \"gpu\" does not exist");
    kubectl("create", "configmap", "meta").output();
    create("two", "fw-2", "metadataConfigmap: meta, nodeObject: " + node).output();
    letGo("one");
    letGo("two");
    create("one", "fw-1").output();
    letGo("one");
    assertThat(operators.log("only")).doesNotContain("forbidden", "WARN", "ERROR");
  }

  private CommandResult campaign(String spec) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("campaign.yaml"),
            """
            apiVersion: drydock.dev/v1alpha1
            kind: MaintenanceCampaign
            metadata: {name: %s}
            spec: {nodeSelector: {matchLabels: {none: such}}, %s}
            """
                .formatted(namespace, spec));
    return cluster.kubectl("apply", "-f", file.toString());
  }

  @Test
  void aCampaignThatCannotBeCarriedOutIsRefusedWithTheFieldNamed() throws Exception {
    operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());
    ask(operators.port("only", "admission webhook"));
    String maintenanceClass = namespace + "-class";
    Path classFile =
        Files.writeString(
            folder.resolve("class.yaml"),
            """
            apiVersion: drydock.dev/v1alpha1
            kind: MaintenanceClass
            metadata: {name: %s}
            spec: {drain: {builtin: {}}, maintenance: {outside: {}}, validation: {none: {}}}
            """
                .formatted(maintenanceClass));
    cluster.kubectl("apply", "-f", classFile.toString()).output();
    String known = "maintenanceClass: " + maintenanceClass;
    eventually(
        () ->
            campaign("maintenanceClass: no-such-class")
                .standardError()
                .contains("spec.maintenanceClass: no MaintenanceClass is named"));

    assertRefused(
        campaign(known + ", windows: [{schedule: 0 0 30 2 *, duration: 1h}]"),
        "denied the request: spec.windows: none of them opens within five years");
    assertRefused(
        campaign(known + ", windows: [{schedule: every night, duration: 1h}]"),
        "spec.windows",
        "schedule");
    assertRefused(
        campaign(known + ", windows: [{schedule: 0 1 * * *, duration: 1h, timeZone: Mars/One}]"),
        "spec.windows[0].timeZone: \"Mars/One\" is not a time zone");
    assertRefused(campaign(known + ", budgets: [{maxUnavailable: 0}]"), "maxUnavailable", "0");
    campaign(known + ", paused: true").output();
    assertRefused(campaign("maintenanceClass: another"), "spec.maintenanceClass cannot be changed");
    operators.kill("only");
    campaign(known + ", paused: false").output();
    cluster.kubectl("delete", "maintenancecampaign", namespace).output();
    cluster.kubectl("delete", "maintenanceclass", maintenanceClass).output();
    assertThat(operators.log("only")).doesNotContain("forbidden", "ERROR");
  }

  @Test
  void theManifestItselfIsToldWhomToTrust() throws IOException {
    String manifest = TestOperators.DEPLOY.resolve("webhook.yaml").toString();
    cluster.kubectl("apply", "-f", manifest).output();

    operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());

    eventually(() -> !caBundle().isEmpty());
    cluster.kubectl("apply", "-f", manifest).output();
    assertThat(caBundle()).as("applying it again changes nothing").isNotEmpty();
  }

  @Test
  void withoutAnOperatorWhatExistsCanStillBeFinished() throws Exception {
    Process operator = operators.start("only", SYSTEM, operators.kubeconfigOfTheManifest());
    ask(operators.port("only", "admission webhook"));
    eventually(() -> create("one", "fw-1").succeeded());

    operator.destroyForcibly().waitFor();

    assertRefused(create("two", "fw-2"), "failed calling webhook \"vnotifymaintenance.kb.io\"");
    annotate("one", "maintenance/readyForMaintenance=true").output();
    letGo("one");
    assertThat(kubectl("get", "notifymaintenances", "-o", "name").output()).isEmpty();
  }

  @Test
  void newCertificatesAreServedWithoutARestart() throws Exception {
    Path kubeconfig = operators.kubeconfigOfTheManifest();
    operators.start("first", SYSTEM, kubeconfig);
    operators.start("second", SYSTEM, kubeconfig);
    int port = operators.port("first", "admission webhook");
    int metrics = operators.port("second", "/metrics");
    ask(port);
    eventually(() -> create("one", "fw-1").succeeded());
    eventually(() -> TestTls.certificate(metrics).equals(TestTls.certificate(port)));
    X509Certificate before = TestTls.certificate(port);
    String trusted = caBundle();

    changeSecret("{\"data\":{\"tls.crt\":null}}");
    eventually(() -> !TestTls.certificate(port).equals(before));
    X509Certificate renewed = TestTls.certificate(port);
    eventually(() -> TestTls.certificate(metrics).equals(renewed));
    assertThat(caBundle()).as("the authority is the same").isEqualTo(trusted);
    create("two", "fw-2").output();

    changeSecret("{\"data\":{\"ca.key\":null}}");
    eventually(() -> !caBundle().equals(trusted));
    assertThat(TestTls.certificate(port)).as("until the new one is known").isEqualTo(renewed);
    create("three", "fw-3").output();

    changeSecret("{\"data\":null}");
    eventually(() -> !TestTls.certificate(port).equals(renewed));
    eventually(() -> create("four", "fw-4").succeeded());
    List.of("one", "two", "three", "four").forEach(this::letGo);
    assertThat(operators.log("first")).doesNotContain("forbidden", "ERROR");
  }

  private void changeSecret(String patch) {
    cluster
        .kubectl("patch", "secret/pika-server-cert", "-n", SYSTEM, "--type=merge", "-p", patch)
        .output();
  }
}
