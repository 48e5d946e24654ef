package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@ClusterTest
class ControlPlaneIT {

  @Test
  void isReadyAndSpeaksTheVersionOfItsPrograms(ControlPlane cluster) {
    assertThat(cluster.kubectl("get", "--raw", "/readyz").output()).isEqualTo("ok");
    assertThat(cluster.client().getKubernetesVersion().getGitVersion()).isEqualTo("v1.36.4");
  }

  @Test
  void deniesWhatNobodyGranted(ControlPlane cluster) {
    String kubeconfig = cluster.kubeconfigFor("somebody", "some:group").toString();

    CommandResult denied = cluster.kubectl("--kubeconfig", kubeconfig, "get", "nodes");

    assertThat(denied.exitCode()).isEqualTo(1);
    assertThat(denied.standardError()).contains("Forbidden", "\"somebody\"");
  }

  @Test
  void letsANodeSpeakForItselfOnly(ControlPlane cluster) {
    String kubeconfig = cluster.kubeconfigFor("system:node:me", "system:nodes").toString();

    assertThat(mayCreateNode(cluster, kubeconfig, "me").output()).contains("node/me created");
    assertThat(mayCreateNode(cluster, kubeconfig, "you").standardError())
        .contains("node \"me\" is not allowed to modify node \"you\"");
  }

  private static CommandResult mayCreateNode(ControlPlane cluster, String kubeconfig, String name) {
    String node = "{apiVersion: v1, kind: Node, metadata: {name: %s}}".formatted(name);
    return cluster.kubectlWithInput(
        node, "--kubeconfig", kubeconfig, "create", "--dry-run=server", "-f", "-");
  }

  @Test
  void runsControllersAndScheduler(ControlPlane cluster, TestNamespace namespace) {
    String deployment =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 2
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              nodeSelector: {no-node: has-this}
              containers: [{name: web, image: none}]
        """;
    cluster.kubectlWithInput(deployment, "create", "-n", namespace.name(), "-f", "-").output();

    assertThat(
            cluster
                .kubectl(
                    "wait",
                    "deployment/web",
                    "--for=jsonpath={.status.replicas}=2",
                    "--timeout=180s",
                    "-n",
                    namespace.name())
                .output())
        .isEqualTo("deployment.apps/web condition met");
    assertThat(
            cluster
                .kubectl(
                    "wait",
                    "pods",
                    "--selector=app=web",
                    "--for=condition=PodScheduled=false",
                    "--timeout=180s",
                    "-n",
                    namespace.name())
                .output())
        .hasLineCount(2);
  }

  @Test
  void admitsPods(ControlPlane cluster, TestNamespace namespace) {
    CommandResult created =
        cluster.kubectl("run", "pod", "--image=none", "--namespace", namespace.name());

    assertThat(created.output()).isEqualTo("pod/pod created");
    assertThat(
            cluster
                .client()
                .pods()
                .inNamespace(namespace.name())
                .withName("pod")
                .require()
                .getSpec()
                .getServiceAccountName())
        .as("set by the admission plugin")
        .isEqualTo("default");
  }

  @Test
  void readsManifestsFromStandardInput(ControlPlane cluster, TestNamespace namespace) {
    String manifest =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        data: {colour: blue}
        """;

    cluster.kubectlWithInput(manifest, "apply", "-n", namespace.name(), "-f", "-").output();

    assertThat(
            cluster
                .kubectl("get", "cm", "settings", "-n", namespace.name(), "-ojsonpath={.data}")
                .output())
        .isEqualTo("{\"colour\":\"blue\"}");
  }

  @Test
  void keepsItsDataAndAddressOverARestartOfTheApiServer(
      ControlPlane cluster, TestNamespace namespace) {
    String server = cluster.server();

    cluster.restartApiServer();

    assertThat(cluster.server()).isEqualTo(server);
    assertThat(cluster.client().namespaces().withName(namespace.name()).get()).isNotNull();
    assertThat(cluster.kubectl("get", "ns", namespace.name()).succeeded()).isTrue();
  }
}
