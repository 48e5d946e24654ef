package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@RealKubeletTest
class RealKubeletIT {
  private final ControlPlane cluster;
  private final RealKubelet kubelet;
  private final String namespace;
  private final TestPods pods;

  RealKubeletIT(ControlPlane cluster, RealKubelet kubelet, TestNamespace namespace) {
    this.cluster = cluster;
    this.kubelet = kubelet;
    this.namespace = namespace.name();
    this.pods = new TestPods(cluster.client(), namespace.name(), kubelet.nodeName());
  }

  @Test
  void isAReadyNodeWithRealContainers() {
    Node node = cluster.client().nodes().withName(kubelet.nodeName()).require();

    assertThat(Readiness.getInstance().isReady(node)).isTrue();
    assertThat(node.getStatus().getNodeInfo().getContainerRuntimeVersion())
        .startsWith("containerd://");
    assertThat(kubelet.rootDirectory().resolve("plugins_registry")).isDirectory();
    assertThat(kubelet.rootDirectory().resolve("device-plugins/kubelet.sock")).exists();
  }

  @Test
  void runsThePodOfADeploymentThatThisMachineCanReach() throws Exception {
    Pod pod = deployWebServer();

    URI page = URI.create("http://%s:8080/".formatted(pod.getStatus().getPodIP()));
    try (HttpClient http = HttpClient.newHttpClient()) {
      assertThat(
              http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                  .body())
          .isEqualTo("hello\n");
    }
    String name = pod.getMetadata().getName();
    assertThat(cluster.kubectl("logs", "-n", namespace, name).output()).isEqualTo("hello");
    assertThat(
            cluster
                .kubectl("exec", "-n", namespace, name, "--", "cat", "/pages/index.html")
                .output())
        .isEqualTo("hello");
  }

  @Test
  void replacesAnEvictedPodOfADeployment() {
    Pod pod = deployWebServer();

    boolean evicted =
        cluster
            .client()
            .pods()
            .inNamespace(namespace)
            .withName(pod.getMetadata().getName())
            .evict();

    assertThat(evicted).isTrue();
    Pod successor = awaitReadyWebServerOtherThan(pod.getMetadata().getUid());
    assertThat(successor.getSpec().getNodeName()).isEqualTo(kubelet.nodeName());
    cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withName(pod.getMetadata().getName())
        .waitUntilCondition(found -> found == null, 180, TimeUnit.SECONDS);
  }

  @Test
  void completesAPodThatEndsWell() {
    pods.create("good", "exit 0");

    pods.await("good", pod -> pod.getStatus().getPhase().equals("Succeeded"));
  }

  @Test
  void failsAPodWithItsExitCode() {
    pods.create("bad", "exit 3");

    pods.await("bad", pod -> pod.getStatus().getPhase().equals("Failed"));
    assertThat(pods.awaitEnd("bad").getExitCode()).isEqualTo(3);
  }

  @Test
  void asksADeletedPodToTerminate() {
    pods.createKept("obedient", "trap 'exit 7' TERM; while :; do sleep 0.1; done", 30);
    pods.await("obedient", Readiness.getInstance()::isReady);

    pods.delete("obedient");

    assertThat(pods.awaitEnd("obedient").getExitCode()).isEqualTo(7);
    pods.release("obedient");
  }

  @Test
  void killsAPodThatOutstaysItsGracePeriod() {
    pods.createKept(
        "stubborn",
        "trap 'echo asked > /dev/termination-log' TERM; while :; do sleep 0.1; done",
        2);
    pods.await("stubborn", Readiness.getInstance()::isReady);

    pods.delete("stubborn");

    ContainerStateTerminated end = pods.awaitEnd("stubborn");
    assertThat(end.getExitCode()).as("128 + SIGKILL").isEqualTo(137);
    assertThat(end.getMessage()).as("SIGTERM came first").isEqualTo("asked\n");
    pods.release("stubborn");
  }

  @Test
  void runsAnImageMadeOfAProgramOfThisMachine() {
    Path program = SystemCommand.find("busybox").orElseThrow();
    ContainerImage image = ContainerImage.ofProgram("drydock.local/program:1", program);

    kubelet.loadImage(image);

    pods.createOf(image, "program");
    pods.await("program", pod -> pod.getStatus().getPhase().equals("Succeeded"));
  }

  private Pod deployWebServer() {
    cluster
        .kubectlWithInput(
            """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            nodeSelector: {kubernetes.io/hostname: %s}
            terminationGracePeriodSeconds: 1
            containers:
            - name: web
              image: %s
              imagePullPolicy: Never
              command: [sh, -c, "cd /pages; echo hello | tee index.html; exec httpd -f -p 8080"]
              readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
              volumeMounts: [{name: pages, mountPath: /pages}]
            volumes: [{name: pages, emptyDir: {medium: Memory}}]
      """
                .formatted(kubelet.nodeName(), ContainerImage.BUSYBOX),
            "apply",
            "-n",
            namespace,
            "-f",
            "-")
        .output();
    return awaitReadyWebServerOtherThan("");
  }

  private Pod awaitReadyWebServerOtherThan(String uid) {
    List<Pod> found =
        cluster
            .client()
            .pods()
            .inNamespace(namespace)
            .withLabel("app", "web")
            .informOnCondition(all -> all.stream().anyMatch(pod -> isReadyAndNot(pod, uid)))
            .orTimeout(180, TimeUnit.SECONDS)
            .join();
    return found.stream().filter(pod -> isReadyAndNot(pod, uid)).findFirst().orElseThrow();
  }

  private static boolean isReadyAndNot(Pod pod, String uid) {
    return Readiness.getInstance().isReady(pod) && !pod.getMetadata().getUid().equals(uid);
  }
}
