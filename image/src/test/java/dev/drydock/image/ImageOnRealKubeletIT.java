package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testbed.TestbedProgress;
import dev.drydock.testbed.realkubelet.ContainerImage;
import dev.drydock.testbed.realkubelet.OciArchive;
import dev.drydock.testbed.realkubelet.RealKubelet;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image and the manifests as they are shipped, on two real nodes. */
@RealKubeletTest
class ImageOnRealKubeletIT {
  /** The name of the image in the manifests, after the kustomization. */
  private static final String DEPLOYED = "drydock.local/drydock:latest";

  private static final String MAINTENANCES = "drydock-maintenance";

  /** Where a program's file says for which machine it is, and a machine that nobody has here. */
  private static final int ELF_MACHINE = 18;

  private static final byte VAX = 75;

  private final ControlPlane cluster;
  private final RealKubelet kubelet;
  private final String namespace;

  ImageOnRealKubeletIT(ControlPlane cluster, RealKubelet kubelet, TestNamespace namespace) {
    this.cluster = cluster;
    this.kubelet = kubelet;
    this.namespace = namespace.name();
  }

  @Test
  void theShippedManifestsServeTheCluster() {
    OciArchive image = BuiltImage.archive();
    try (RealKubelet second =
        RealKubelet.start(cluster, "kubelet-second", TestbedProgress.stderr())) {
      kubelet.loadArchive(image, DEPLOYED);
      second.loadArchive(image, DEPLOYED);

      kubectl("apply", "-k", Path.of("..", "deploy").toString());

      kubectl(
          "rollout", "status", "-n", "drydock-system", "deploy/drydock-operator", "--timeout=300s");
      kubectl("rollout", "status", "-n", "drydock-agents", "ds/drydock-agent", "--timeout=300s");
      run("web", "2147483647");
      drainsForADrainRequest(second.nodeName());
      maintainsByAClass(second.nodeName());
      drainsForALifecycleEvent(second.nodeName());
      assertThat(operatorLog()).contains("leading").doesNotContain("forbidden", "ERROR");
      assertThat(
              kubectl("logs", "-n", "drydock-agents", "-l", "app.kubernetes.io/name=drydock-agent"))
          .doesNotContain("forbidden", "ERROR");
      kubectl("delete", "-k", Path.of("..", "deploy").toString(), "--wait=false");
    }
  }

  private void drainsForADrainRequest(String node) {
    apply(
        """
        apiVersion: nvsentinel.nvidia.com/v1alpha1
        kind: DrainRequest
        metadata: {name: by-hand}
        spec: {drainer: builtin, nodeName: %s, reason: new disk}
        """
            .formatted(node));
    kubectl(
        "wait",
        "drainrequest/by-hand",
        "-n",
        namespace,
        "--for=condition=DrainComplete",
        "--timeout=300s");
    assertThat(podsOn(node)).doesNotContain("web", "drydock-operator").contains("drydock-agent");
    assertThat(isCordoned(node)).isTrue();
    kubectl("delete", "drainrequest", "by-hand", "-n", namespace);
    eventually(() -> assertThat(isCordoned(node)).isFalse());
  }

  /**
   * The webhook checks it, and real Jobs do the work, in the namespace where the operator may
   * create them.
   */
  private void maintainsByAClass(String node) {
    String quick =
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: quick}
        spec:
          drain: {builtin: {}}
          maintenance: {job: {template: {spec: {template: {spec: %1$s}}}}}
          validation: {job: {template: {spec: {template: {spec: %1$s}}}}}
        """
            .formatted(
                "{containers: [{name: work, image: \"%s\", imagePullPolicy: Never, command: [\"true\"]}]}"
                    .formatted(ContainerImage.BUSYBOX));
    // the operator may just have moved to another node, with its webhook
    eventually(() -> apply(quick));
    String firmware =
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: firmware}
        spec: {nodeObject: %s, maintenanceID: fw, maintenanceType: planned, maintenanceClass: quick}
        """
            .formatted(node);
    eventually(() -> applyIn(MAINTENANCES, firmware));
    eventually(
        () ->
            assertThat(kubectl("get", "notifymaintenances", "-n", MAINTENANCES, "-o", "name"))
                .as("it is removed at its end")
                .isEmpty());
    assertThat(isCordoned(node)).isFalse();
    eventually(
        () ->
            assertThat(
                    kubectl(
                            "get",
                            "events",
                            "-n",
                            MAINTENANCES,
                            "-o",
                            "jsonpath={.items[*].reason}")
                        .split(" ", -1))
                .contains("JobSucceeded", "Validating", "MaintenanceComplete"));
  }

  private void drainsForALifecycleEvent(String node) {
    event("drain", "drain.slm.k8s.io", node);
    eventually(() -> assertThat(transition(node)).isEqualTo("drain-complete"));
    assertThat(isCordoned(node)).isTrue();
    event("back", "drain.slm.k8s.io-uncordon", node);
    eventually(() -> assertThat(transition(node)).isEqualTo("maintenance-complete"));
    assertThat(isCordoned(node)).isFalse();
  }

  private void event(String name, String transition, String node) {
    apply(
        """
        apiVersion: lifecycle.k8s.io/v1alpha1
        kind: LifecycleEvent
        metadata: {name: %s}
        spec: {transitionName: %s, bindingNode: %s}
        """
            .formatted(name, transition, node));
  }

  private String transition(String node) {
    return kubectl(
        "get",
        "node",
        node,
        "-o",
        "jsonpath={.status.conditions[?(@.type==\"LifecycleTransition\")].reason}");
  }

  @Test
  void aLimitThatIsTooSmallIsExplainedInThePodsStatus() {
    kubelet.loadArchive(BuiltImage.archive(), DEPLOYED);

    apply(pod("small", DEPLOYED, "operator", "80Mi"));

    eventually(
        () ->
            assertThat(state("small"))
                .contains("too little memory", "raise the memory limit of the container"));
  }

  @Test
  void anImageThatIsNotOnTheNodeIsNamedInThePodsStatus() {
    apply(pod("absent", "drydock.local/drydock:absent", "operator", "512Mi"));

    eventually(
        () ->
            assertThat(state("absent"))
                .contains("ErrImageNeverPull", "drydock.local/drydock:absent"));
  }

  /** Where the name of an image, and not its architecture, is all that somebody checked. */
  @Test
  void aProgramForAnotherMachineIsNamedInThePodsStatus(@TempDir Path folder) throws IOException {
    byte[] program =
        Files.readAllBytes(ContainerImage.busybox().programs().values().iterator().next());
    program[ELF_MACHINE] = VAX;
    Path file = Files.write(folder.resolve("drydock"), program);
    kubelet.loadImage(ContainerImage.ofProgram("drydock.local/vax:1", file));

    apply(pod("vax", "drydock.local/vax:1", "/bin/drydock", "512Mi"));

    eventually(() -> assertThat(state("vax")).contains("exec /bin/drydock: exec format error"));
  }

  private String pod(String name, String image, String command, String memory) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:
      restartPolicy: Never
      nodeName: %s
      automountServiceAccountToken: false
      containers:
      - name: main
        image: %s
        imagePullPolicy: Never
        terminationMessagePolicy: FallbackToLogsOnError
        args: [%s]
        resources: {limits: {memory: %s}}
        securityContext: {runAsNonRoot: true, runAsUser: 65532, readOnlyRootFilesystem: true}
    """
        .formatted(name, kubelet.nodeName(), image, command, memory);
  }

  /** Why its container waits or has ended, as kubectl describe shows it. */
  private String state(String pod) {
    return kubectl(
        "get", "pod", pod, "-n", namespace, "-o", "jsonpath={.status.containerStatuses[*].state}");
  }

  private void run(String name, String seconds) {
    apply(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s}
        spec:
          replicas: 2
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec:
              terminationGracePeriodSeconds: 1
              topologySpreadConstraints:
              - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: %1$s}}}
              containers:
              - {name: main, image: "%2$s", imagePullPolicy: Never, command: [sleep, "%3$s"]}
        """
            .formatted(name, ContainerImage.BUSYBOX, seconds));
    kubectl("rollout", "status", "-n", namespace, "deploy/" + name, "--timeout=300s");
  }

  private String podsOn(String node) {
    return kubectl("get", "pods", "-A", "--field-selector", "spec.nodeName=" + node, "-o", "name");
  }

  private String operatorLog() {
    return kubectl(
        "logs",
        "-n",
        "drydock-system",
        "-l",
        "app.kubernetes.io/name=drydock-operator",
        "--tail=-1");
  }

  private boolean isCordoned(String node) {
    return kubectl("get", "node", node, "-o", "jsonpath={.spec.unschedulable}").equals("true");
  }

  private void apply(String yaml) {
    applyIn(namespace, yaml);
  }

  private void applyIn(String where, String yaml) {
    var _ = cluster.kubectlWithInput(yaml, "apply", "-n", where, "-f", "-").output();
  }

  private String kubectl(String... arguments) {
    return cluster.kubectl(arguments).output();
  }

  private static void eventually(ThrowingRunnable check) {
    await().atMost(Duration.ofMinutes(4)).ignoreExceptions().untilAsserted(check);
  }
}
