package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.Ports;
import dev.drydock.testbed.TestbedProgress;
import dev.drydock.testbed.realkubelet.RealKubelet;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The programs of a CXIDriver from the image, as the operator starts them, on a node without NICs:
 * no kernel here has the driver.
 */
@RealKubeletTest
class CxiProgramsOnRealKubeletIT {
  private static final String IMAGE = "drydock.local/drydock:latest";
  private static final String NAMESPACE = "slingshot-system";

  /** What the original's programs are limited to. */
  private static final int SMALL_MIB = 80;

  /** Only ends a hopeless wait: real containers start slowly on a busy machine. */
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final ControlPlane fresh = ControlPlane.start();

  @AfterEach
  void stop() {
    fresh.close();
  }

  private String kubectl(String... arguments) {
    return fresh.kubectl(arguments).output();
  }

  private void apply(String yaml) {
    var _ = fresh.kubectlWithInput(yaml, "apply", "-f", "-").output();
  }

  @Test
  void theOperatorsDaemonSetsRunAndAreSmall() {
    try (RealKubelet kubelet = RealKubelet.start(fresh, "kubelet-cxi", TestbedProgress.stderr())) {
      kubelet.loadArchive(BuiltImage.archive(), IMAGE);
      kubectl("apply", "--server-side", "-f", Path.of("..", "dist", "install.yaml").toString());
      kubectl("rollout", "status", "-n", NAMESPACE, "deploy/slingshot-operator", "--timeout=300s");
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(driver(Ports.free()).succeeded()).isTrue());
      apply(retryHandler());

      for (String program : List.of("device-plugin", "metrics-exporter")) {
        await()
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(() -> fresh.kubectl("get", "-n", NAMESPACE, "ds/cxi-" + program).succeeded());
        kubectl("rollout", "status", "-n", NAMESPACE, "ds/cxi-" + program, "--timeout=300s");
      }
      kubectl(
          "wait", "-n", NAMESPACE, "pod/retry-handler", "--for=condition=Ready", "--timeout=300s");
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(
                          kubectl(
                              "get",
                              "node",
                              kubelet.nodeName(),
                              "-o",
                              "jsonpath={.status.allocatable.hpe\\.com/cxi}"))
                      .as("registered, and without NICs nothing is offered")
                      .isEqualTo("0"));
      // what was only needed to start is given back within seconds
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(pods())
                      .hasSize(4)
                      .allSatisfy(
                          pod -> assertThat(residentMib(pod)).as(pod).isBetween(1, SMALL_MIB)));
      theDriverAgentReportsWhatItsHostSays(kubelet.nodeName());
    }
  }

  /**
   * It runs the host's modprobe, which has no such module, and writes with the rights of its pod.
   */
  private void theDriverAgentReportsWhatItsHostSays(String node) {
    String labels = "{.metadata.labels.slingshot\\.hpe\\.com/cxi-present}";
    String report = "{.metadata.annotations.cxi\\.hpe\\.com/driver-report}";
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(kubectl("get", "node", node, "-o", "jsonpath=" + labels + " " + report))
                    .startsWith("false ")
                    .contains("\"state\":\"Failed\"", "cxi_ss1"));
  }

  /** The webhook may not be trusted yet. */
  private CommandResult driver(int port) {
    return fresh.kubectlWithInput(
        """
        apiVersion: cxi.hpe.com/v1
        kind: CXIDriver
        metadata: {name: cxi}
        spec:
          version: 1.8.3
          source: {type: preinstalled}
          retryHandler: {mode: none}
          metricsExporter: {port: %d}
        """
            .formatted(port),
        "apply",
        "-f",
        "-");
  }

  /** As the DaemonSet has it, but for the network of the node, where its port may be taken. */
  private static String retryHandler() {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: retry-handler, namespace: slingshot-system}
    spec:
      hostPID: true
      automountServiceAccountToken: false
      containers:
      - name: retry-handler
        image: %s
        imagePullPolicy: IfNotPresent
        command: [/opt/drydock/java/bin/java, "@/opt/drydock/small.args"]
        args: [cxi, retry-handler, --mode=supervisor, --discover=auto, --cxi-rh-root=/host]
        readinessProbe: {httpGet: {path: /readyz, port: 8080}, periodSeconds: 1}
        securityContext: {privileged: true, runAsUser: 0}
        resources: {limits: {memory: 128Mi}}
        volumeMounts:
        - {name: run-cxi, mountPath: /run/cxi}
        - {name: node, mountPath: /host}
      volumes:
      - {name: run-cxi, hostPath: {path: /run/cxi, type: DirectoryOrCreate}}
      - {name: node, hostPath: {path: /}}
    """
        .formatted(IMAGE);
  }

  private List<String> pods() {
    return kubectl("get", "pods", "-n", NAMESPACE, "-o", "name")
        .lines()
        .filter(
            name -> name.matches(".*(driver-agent|device-plugin|metrics-exporter|retry-handler).*"))
        .toList();
  }

  /** Of the JVM, which is the container's first process, unless it shares those of the node. */
  private int residentMib(String pod) {
    String lines =
        kubectl(
            "exec",
            "-n",
            NAMESPACE,
            pod,
            "--",
            "/bin/sh",
            "-c",
            "for p in /proc/[0-9]*; do grep -q 'cxi.%s' $p/cmdline && grep -q bin/java $p/cmdline && grep -h VmRSS $p/status; done; true"
                .formatted(
                    pod.replaceAll(
                        ".*?((driver-agent|device-plugin|metrics-exporter|retry-handler)).*",
                        "$1")));
    return lines
        .lines()
        .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D", "")) / 1024)
        .max()
        .orElse(0);
  }
}
