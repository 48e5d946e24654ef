package dev.drydock.testbed.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedApiServer;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.KubernetesPrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real kubectl on the simulated API server. */
@Tag("cluster")
class KubectlIT {
  private static final String NODE_WITH_POD =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1, labels: {zone: a}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: default, labels: {app: web}}
      spec:
        nodeName: n1
        terminationGracePeriodSeconds: 1
        containers: [{name: main, image: none}]
      """;

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: things.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: things, kind: Thing}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {size: {type: integer}}}
      """;

  @TempDir Path folder;
  private final Path kubectl = KubernetesPrograms.obtain().kubectl();
  private final Map<String, String> environment = new HashMap<>();
  private final SimulatedApiServer server;

  KubectlIT() throws IOException {
    server = SimulatedApiServer.start(SimulatedApiServer.Options.usual());
  }

  @BeforeEach
  void configure() throws IOException {
    Path kubeconfig = server.writeKubeconfig(folder.resolve("kubeconfig"));
    environment.put("KUBECONFIG", kubeconfig.toString());
    environment.put("KUBECACHEDIR", folder.resolve("cache").toString());
    environment.put("KUBERC", "off");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void marksNodes() {
    kubectl(NODE_WITH_POD, "create", "-f", "-");

    kubectl("", "label", "node", "n1", "rack=7");
    kubectl("", "annotate", "node", "n1", "why=because");
    kubectl("", "taint", "node", "n1", "a=b:NoSchedule");
    kubectl("", "cordon", "n1");

    assertThat(get("node", "n1", "{.metadata.labels.rack} {.metadata.annotations.why}"))
        .isEqualTo("7 because");
    assertThat(get("node", "n1", "{.spec.taints[0].key} {.spec.unschedulable}"))
        .isEqualTo("a true");
    kubectl("", "taint", "node", "n1", "a-");
    kubectl("", "uncordon", "n1");
    assertThat(get("node", "n1", "{.spec}")).isEqualTo("{}");
    assertThat(kubectl("", "describe", "node", "n1").output()).contains("web");
  }

  @Test
  void appliesChangesAndEdits() {
    kubectl(NODE_WITH_POD, "apply", "-f", "-");

    kubectl(NODE_WITH_POD.replace("zone: a", "zone: b"), "apply", "-f", "-");
    assertThat(get("node", "n1", "{.metadata.labels.zone}")).isEqualTo("b");

    environment.put("KUBE_EDITOR", "sed -i 's/zone: b/zone: c/'");
    kubectl("", "edit", "node", "n1");
    assertThat(get("node", "n1", "{.metadata.labels.zone}")).isEqualTo("c");
    CommandResult misspelt =
        run("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dta: {}}", "create", "-f", "-");
    assertThat(misspelt.standardError()).contains("unknown field \"dta\"");
  }

  @Test
  void drainsANode() {
    kubectl(NODE_WITH_POD, "create", "-f", "-");
    String running = "{\"status\": {\"phase\": \"Running\"}}";
    kubectl("", "patch", "pod", "web", "--subresource=status", "--type=merge", "-p", running);

    // nobody runs the pod, so nobody ends it
    CommandResult drain = run("", "drain", "n1", "--force", "--timeout=1s");

    assertThat(drain.standardOutput()).contains("evicting pod default/web");
    assertThat(get("pod", "web", "{.metadata.deletionGracePeriodSeconds}")).isEqualTo("1");
    kubectl("", "delete", "pod", "web", "--force", "--grace-period=0");
    kubectl("", "wait", "--for=delete", "pod/web", "--timeout=10s");
    kubectl("", "drain", "n1", "--timeout=10s");
  }

  @Test
  void usesCustomResources() {
    kubectl(DEFINITION, "apply", "-f", "-");
    kubectl("", "wait", "--for=condition=Established", "crd/things.example.com");
    String thing =
        "{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {size: 1}}";

    kubectl(thing, "apply", "-f", "-");
    kubectl(thing.replace("size: 1", "size: 2"), "apply", "-f", "-");

    assertThat(get("things", "a", "{.spec.size} {.metadata.generation}")).isEqualTo("2 2");
    assertThat(run(thing.replace("size: 1", "size: x"), "apply", "-f", "-").standardError())
        .contains("must be of type integer");
    kubectl("", "delete", "crd", "things.example.com");
    assertThat(run("", "get", "things").succeeded()).isFalse();
  }

  private String get(String resource, String name, String jsonPath) {
    return kubectl("", "get", resource, name, "-o", "jsonpath=" + jsonPath).output();
  }

  private CommandResult kubectl(String input, String... arguments) {
    CommandResult result = run(input, arguments);
    assertThat(result.succeeded()).as(result.toString()).isTrue();
    return result;
  }

  private CommandResult run(String input, String... arguments) {
    List<String> command = new ArrayList<>(List.of(kubectl.toString()));
    command.addAll(List.of(arguments));
    return CommandResult.run(command, environment, input);
  }
}
