package dev.drydock.app.operator;

import static dev.drydock.app.operator.SlingshotManifests.NAMESPACE;
import static dev.drydock.app.operator.TestOperators.eventually;
import static dev.drydock.app.operator.TestOperators.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.Drydock;
import dev.drydock.app.DrydockTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the driver agent of a node may do, and what the API server keeps it from. */
record DriverAgentRights(InstalledSlingshot installed) {
  private ControlPlane cluster() {
    return installed.cluster;
  }

  void check() throws IOException {
    // the token of a pod of an earlier driver would end with it
    eventually(() -> agentPods("{.items[*].metadata.name}").isEmpty());
    installed.apply("cxi-driver", "version: 1.0.0, source: {type: preinstalled}").output();
    eventually(() -> agentPods("{.items[*].spec.nodeName}").split(" ").length == 2);
    String pod = agentPods("{.items[?(@.spec.nodeName==\"node1\")].metadata.name}");
    Path agent =
        installed.operators.kubeconfigOf(
            "cxi-node-agent", NAMESPACE, "--bound-object-kind=Pod", "--bound-object-name=" + pod);

    AtomicInteger tries = new AtomicInteger();
    eventually(
        () ->
            !as(agent, "label", "--overwrite", "node/node2", "try=" + tries.incrementAndGet())
                .succeeded());
    as(agent, "label", "node/node1", "slingshot.hpe.com/cxi-present=true").output();
    as(agent, "annotate", "node/node1", "cxi.hpe.com/installed-version=1.0.0").output();
    denied(
        as(agent, "label", "node/node2", "slingshot.hpe.com/cxi-present=true"),
        "the driver agent of node node1 may not change node node2");
    denied(as(agent, "label", "node/node1", "role=infra"), "may change no labels but");
    List<String> many = new ArrayList<>(List.of("label", "node/node1"));
    IntStream.rangeClosed(1, 257)
        .forEach(each -> many.add("slingshot.hpe.com/l%d=1".formatted(each)));
    denied(as(agent, many.toArray(String[]::new)), "may set no more than 256 labels");
    denied(
        as(agent, "annotate", "node/node1", "drydock.dev/holds={}"), "may change no annotations");
    denied(
        as(agent, "annotate", "node/node1", "cxi.hpe.com/driver-report=" + "x".repeat(65_537)),
        "may report no more than 64 KiB");
    denied(
        as(agent, "patch", "node/node1", "-p", "{\"spec\":{\"unschedulable\":true}}"),
        "may not change its spec");
    device(agent, "node1", "cxi0").output();
    denied(device(agent, "node2", "cxi0"), "may not change CXIDevice node2-cxi0 of another node");
    denied(
        device(agent, "node1", "b-cxi0"), "may not change CXIDevice node1-b-cxi0 of another node");
    denied(
        device(agent, "node1", "cxi100"), "may not change CXIDevice node1-cxi100 of another node");
    denied(as(agent, "delete", "node/node1"), "forbidden");
    maintenance("node1", NAMESPACE);
    maintenance("node2", NAMESPACE);
    maintenance("node1", "default");
    String answer = "maintenance/maintenanceClient=complete";
    as(agent, "annotate", "-n", NAMESPACE, "notifymaintenance/of-node1", answer).output();
    denied(
        as(agent, "annotate", "-n", NAMESPACE, "notifymaintenance/of-node2", answer),
        "may not change NotifyMaintenance of-node2");
    denied(
        as(agent, "annotate", "-n", NAMESPACE, "notifymaintenance/of-node1", "any=thing"),
        "may change nothing but annotation maintenance/maintenanceClient");
    denied(
        as(agent, "annotate", "-n", "default", "notifymaintenance/of-node1", answer),
        "may not change NotifyMaintenance of-node1");
    statusOf(agent, "{\"conditions\":[%s]}".formatted(said("CXIDriverMissingAfterReboot")))
        .output();
    denied(
        statusOf(agent, "{\"conditions\":[%s]}".formatted(said("Ready"))),
        "may change no status but the condition CXIDriverMissingAfterReboot");
    denied(
        statusOf(agent, "{\"capacity\":{\"hpe.com/cxi\":\"7\"}}"),
        "may change no status but the condition CXIDriverMissingAfterReboot");
    theAgentItselfNeedsNoMore(agent);
  }

  private String agentPods(String jsonPath) {
    String component = "app.kubernetes.io/component=driver-agent";
    return cluster()
        .kubectl("get", "pods", "-n", NAMESPACE, "-l", component, "-o", "jsonpath=" + jsonPath)
        .output()
        .strip();
  }

  private static String said(String type) {
    return "{\"type\":\"%s\",\"status\":\"False\",\"reason\":\"Test\",\"message\":\"by a test\"}"
        .formatted(type);
  }

  private CommandResult statusOf(Path agent, String status) {
    return as(
        agent,
        "patch",
        "node/node1",
        "--subresource=status",
        "-p",
        "{\"status\":%s}".formatted(status));
  }

  /** The program on a fake machine, with the token of its pod. */
  private void theAgentItselfNeedsNoMore(Path agent) throws IOException {
    Path machine = agent.resolveSibling("machine");
    assertThat(DrydockTest.run("cxi", "fake-nics", "create", machine.toString()).exitCode())
        .isZero();
    Process program =
        cluster()
            .startComponent(
                "cxi-driver-agent",
                List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Drydock.class.getName(),
                    "cxi",
                    "driver-agent",
                    "--kubeconfig=" + agent,
                    "--node-name=node1",
                    "--namespace=" + NAMESPACE,
                    "--driver-version=1.0.0",
                    "--host-root=" + machine,
                    "--health-port=0"),
                Map.of());
    try {
      eventually(
          () ->
              cluster()
                  .kubectl("get", "cxidevices", "-l", "slingshot.hpe.com/node=node1")
                  .output()
                  .matches(
                      "(?s).*node1-cxi0 +node1 +cxi0 +0 +up +Healthy .*node1-cxi1 +node1 +cxi1 +1"
                          + " +up +Healthy .*"));
      eventually(
          () -> installed.json("node/node1").toString().contains("no newer kernel is installed"));
      patiently()
          .untilAsserted(
              () ->
                  assertThat(
                          installed
                              .json("node/node1")
                              .path("metadata")
                              .path("annotations")
                              .toString())
                      .contains("cxi.hpe.com/driver-report", "Installed"));
      assertThat(Files.readString(cluster().logs().resolve("cxi-driver-agent.log")))
          .doesNotContain("forbidden", "ERROR");
    } finally {
      program.destroy();
      var _ = program.onExit().join();
    }
  }

  private void maintenance(String node, String namespace) {
    cluster()
        .kubectlWithInput(
            """
            apiVersion: ngn2.nvidia.com/v1alpha1
            kind: NotifyMaintenance
            metadata:
              name: of-%1$s
              namespace: %2$s
              annotations: {cxi.hpe.com/before: '{}'}
            spec: {maintenanceID: of-%1$s, maintenanceType: planned, nodeObject: %1$s}
            """
                .formatted(node, namespace),
            "create",
            "-f",
            "-")
        .output();
  }

  private CommandResult device(Path agent, String node, String device) {
    return cluster()
        .kubectlWithInput(
            """
            apiVersion: cxi.hpe.com/v1
            kind: CXIDevice
            metadata:
              name: %1$s-%2$s
              labels: {slingshot.hpe.com/node: %1$s, slingshot.hpe.com/device: %2$s}
            spec: {}
            """
                .formatted(node, device),
            "create",
            "--kubeconfig=" + agent,
            "-f",
            "-");
  }

  private CommandResult as(Path agent, String... words) {
    return cluster()
        .kubectl(
            Stream.concat(Stream.of(words), Stream.of("--kubeconfig=" + agent))
                .toArray(String[]::new));
  }

  private static void denied(CommandResult result, String message) {
    assertThat(result.succeeded()).as(result.toString()).isFalse();
    assertThat(result.standardError()).contains(message);
  }
}
