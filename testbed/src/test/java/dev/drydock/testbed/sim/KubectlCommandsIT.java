package dev.drydock.testbed.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandResult;
import org.junit.jupiter.api.Test;

/** The most used commands of the real kubectl on the simulated API server. */
class KubectlCommandsIT extends KubectlOnSim {
  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1, labels: {zone: a, node-role.kubernetes.io/gpu: ""}}
      """;

  private static final String SETTINGS =
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: b}}";

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - {name: one, image: "a:1"}
            - {name: two, image: "b:1"}
      """;

  @Test
  void createsWithoutAFile() {
    kubectl("", "create", "namespace", "team");
    kubectl("", "create", "configmap", "settings", "--from-literal=a=b", "-n", "team");
    kubectl("", "create", "secret", "generic", "password", "--from-literal=a=b", "-n", "team");
    kubectl("", "create", "serviceaccount", "robot", "-n", "team");
    kubectl("", "create", "deployment", "web", "--image=web:1", "--replicas=2", "-n", "team");
    kubectl("", "create", "job", "once", "--image=job:1", "-n", "team", "--", "run", "it");
    kubectl("", "create", "pdb", "web", "--selector=app=web", "--min-available=1", "-n", "team");
    kubectl("", "create", "priorityclass", "high", "--value=1000");
    kubectl("", "create", "role", "reader", "--verb=get", "--resource=pods", "-n", "team");
    kubectl("", "create", "rolebinding", "r", "--role=reader", "--user=me", "-n", "team");
    kubectl("", "create", "clusterrole", "reader", "--verb=get", "--resource=pods");
    kubectl("", "create", "clusterrolebinding", "r", "--clusterrole=reader", "--user=me");
    kubectl("", "run", "alone", "--image=alone:1", "-n", "team");

    assertThat(get("secret/password", "-nteam", "{.data.a}")).isEqualTo("Yg==");
    assertThat(get("deployment/web", "-nteam", "{.spec.replicas} {.spec.strategy.type}"))
        .isEqualTo("2 RollingUpdate");
    assertThat(get("job/once", "-nteam", "{.spec.template.spec.containers[0].command}"))
        .isEqualTo("[\"run\",\"it\"]");
    assertThat(get("pdb/web", "-nteam", "{.spec.minAvailable}")).isEqualTo("1");
    assertThat(table("get", "deploy,job,pdb", "-n", "team"))
        .contains("deployment.apps/web 0/2 0 0 ")
        .contains("job.batch/once Running 0/1 ")
        .contains("poddisruptionbudget.policy/web 1 N/A 0 ");
    assertThat(run("", "create", "namespace", "team").standardError())
        .contains("namespaces \"team\" already exists");
  }

  @Test
  void showsTables() {
    kubectl(NODE, "create", "-f", "-");
    kubectl("", "cordon", "n1");
    kubectl("", "run", "alone", "--image=alone:1");

    assertThat(table("get", "nodes"))
        .startsWith("NAME STATUS ROLES AGE VERSION\nn1 Unknown,SchedulingDisabled gpu ");
    assertThat(table("get", "nodes", "-L", "zone", "-o", "wide"))
        .contains("INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME ZONE");
    assertThat(table("get", "pods", "-A"))
        .startsWith("NAMESPACE NAME READY STATUS RESTARTS AGE\ndefault alone 0/1 Pending 0 ");
    assertThat(table("get", "pods", "--sort-by=.metadata.name")).contains("alone 0/1 Pending");
    assertThat(
            table(
                "get", "pods", "-o", "custom-columns=N:.metadata.name,I:.spec.containers[0].image"))
        .startsWith("N I\nalone alone:1");
    assertThat(table("get", "priorityclasses")).contains("system-node-critical 2000001000 false ");
    assertThat(table("get", "pods", "-o", "name")).isEqualTo("pod/alone");
    assertThat(table("get", "all")).contains("pod/alone 0/1 Pending");
  }

  @Test
  void watchesInTables() throws Exception {
    kubectl(NODE, "create", "-f", "-");
    try (Following watch = follow("get", "nodes", "--watch")) {
      assertThat(watch.nextLine()).isEqualTo("NAME STATUS ROLES AGE VERSION");
      assertThat(watch.nextLine()).startsWith("n1 Unknown gpu ");

      kubectl("", "cordon", "n1");

      assertThat(watch.nextLine()).startsWith("n1 Unknown,SchedulingDisabled gpu ");
    }
  }

  @Test
  void describes() {
    kubectl(NODE, "create", "-f", "-");
    kubectl(DEPLOYMENT, "create", "-f", "-");
    kubectl("", "run", "alone", "--image=alone:1");

    assertThat(table("describe", "node", "n1")).contains("Roles: gpu", "not-ready:NoSchedule");
    assertThat(table("describe", "deployment", "web")).contains("Selector: app=web");
    assertThat(table("describe", "pod", "alone")).contains("Image: alone:1", "Tolerations:");
    assertThat(table("describe", "namespace", "default")).contains("No resource quota");
  }

  @Test
  void appliesOnTheServer() {
    kubectl(SETTINGS, "apply", "--server-side", "-f", "-");

    CommandResult other =
        run(
            SETTINGS.replace("a: b", "a: c"),
            "apply",
            "--server-side",
            "--field-manager=other",
            "-f",
            "-");

    assertThat(other.standardError())
        .contains("Apply failed with 1 conflict: conflict with \"kubectl\": .data.a");
    kubectl(
        SETTINGS.replace("a: b", "a: c"),
        "apply",
        "--server-side",
        "--field-manager=other",
        "--force-conflicts",
        "-f",
        "-");
    assertThat(get("configmap", "settings", "{.data.a}")).isEqualTo("c");
    assertThat(get("configmap", "settings", "{.metadata.managedFields[*].manager}"))
        .isEqualTo("other");
  }

  @Test
  void goesOverToApplyingOnTheServer() {
    kubectl(SETTINGS, "apply", "-f", "-");

    kubectl(SETTINGS.replace("a: b", "a: c"), "apply", "--server-side", "-f", "-");

    assertThat(get("configmap", "settings", "{.data.a}")).isEqualTo("c");
    assertThat(get("configmap", "settings", "{.metadata.managedFields[*].manager}"))
        .doesNotContain("client-side");
  }

  @Test
  void appliesDiffsAndReplaces() {
    kubectl(DEPLOYMENT, "apply", "-f", "-");
    String changed =
        DEPLOYMENT.replace("      - {name: two, image: \"b:1\"}\n", "").replace("a:1", "a:2");

    CommandResult diff = run(changed, "diff", "-f", "-");
    kubectl(changed, "apply", "-f", "-");

    assertThat(diff.exitCode()).isEqualTo(1);
    assertThat(diff.standardOutput()).contains("-      - image: b:1", "+      - image: a:2");
    assertThat(get("deployment", "web", "{.spec.template.spec.containers[*].image}"))
        .isEqualTo("a:2");
    kubectl(DEPLOYMENT, "replace", "-f", "-");
    assertThat(get("deployment", "web", "{.spec.template.spec.containers[*].image}"))
        .isEqualTo("a:1 b:1");
    assertThat(
            run(DEPLOYMENT.replace("app: web}}\n  t", "app: x}}\n  t"), "apply", "-f", "-")
                .standardError())
        .contains("field is immutable");
  }

  @Test
  void patchesInEveryWay() {
    kubectl(NODE, "create", "-f", "-");

    kubectl("", "patch", "node", "n1", "-p", "{\"metadata\": {\"labels\": {\"s\": \"1\"}}}");
    kubectl(
        "",
        "patch",
        "node",
        "n1",
        "--type=merge",
        "-p",
        "{\"metadata\": {\"labels\": {\"m\": \"1\"}}}");
    kubectl(
        "",
        "patch",
        "node",
        "n1",
        "--type=json",
        "-p",
        "[{\"op\": \"add\", \"path\": \"/metadata/labels/j\", \"value\": \"1\"}]");

    assertThat(get("node", "n1", "{.metadata.labels.s}{.metadata.labels.m}{.metadata.labels.j}"))
        .isEqualTo("111");
    assertThat(
            run(
                    "",
                    "patch",
                    "node",
                    "n1",
                    "--type=json",
                    "-p",
                    "[{\"op\": \"remove\", \"path\": \"/metadata/labels/none\"}]")
                .succeeded())
        .isFalse();
  }

  @Test
  void scalesAndRollsOut() {
    kubectl(DEPLOYMENT, "create", "-f", "-");

    kubectl("", "scale", "deployment", "web", "--replicas=3");
    kubectl("", "set", "image", "deployment/web", "one=a:3");
    kubectl("", "rollout", "restart", "deployment/web");
    kubectl("", "wait", "--for=jsonpath={.spec.replicas}=3", "deployment/web", "--timeout=120s");

    assertThat(get("deployment", "web", "{.spec.template.spec.containers[0].image}"))
        .isEqualTo("a:3");
    assertThat(get("deployment", "web", "{.spec.template.metadata.annotations}"))
        .contains("restartedAt");
    assertThat(
            run("", "scale", "deployment", "web", "--replicas=9", "--current-replicas=1")
                .standardError())
        .contains("Expected replicas to be 1, was 3");
    kubectl(
        "",
        "patch",
        "deployment",
        "web",
        "--subresource=status",
        "--type=merge",
        "-p",
        """
        {"status": {"observedGeneration": 9, "replicas": 3, "updatedReplicas": 3,
                    "availableReplicas": 3, "readyReplicas": 3}}
        """);
    assertThat(kubectl("", "rollout", "status", "deployment/web", "--timeout=120s").output())
        .contains("successfully rolled out");
  }

  @Test
  void warnsAndExplains() {
    CommandResult created =
        kubectl(SETTINGS.replace(", data:", ", dta:"), "create", "--validate=warn", "-f", "-");
    assertThat(created.standardError()).contains("Warning: unknown field \"dta\"");

    assertThat(table("explain", "pod.spec.containers.resources"))
        .contains("limits <map[string]Quantity>");
    assertThat(table("explain", "nodes.spec", "--recursive")).contains("unschedulable <boolean>");
    assertThat(table("api-resources")).contains("deployments deploy apps/v1 true Deployment");
    assertThat(table("version")).contains("Server Version: v1.36.4");
    assertThat(table("auth", "can-i", "get", "pods")).isEqualTo("yes");
  }

  @Test
  void deletesAndWaits() {
    kubectl(SETTINGS, "create", "-f", "-");
    kubectl("", "run", "alone", "--image=alone:1");
    kubectl("", "delete", "pod", "alone", "--now");
    kubectl("", "delete", "configmap", "settings");
    kubectl("", "create", "namespace", "team");
    kubectl(SETTINGS, "create", "-n", "team", "-f", "-");

    kubectl("", "delete", "namespace", "team", "--timeout=120s");

    assertThat(run("", "get", "configmap", "settings", "-n", "team").standardError())
        .contains("not found");
    assertThat(run("", "create", "quota", "q", "--hard=pods=1").standardError())
        .contains("not simulated");
  }
}
