package dev.drydock.testbed.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandResult;
import org.junit.jupiter.api.Test;

/** The real kubectl on the simulated API server. */
class KubectlIT extends KubectlOnSim {
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
          additionalPrinterColumns:
          - {name: Size, type: integer, jsonPath: .spec.size}
          - {name: Note, type: string, jsonPath: .spec.note, priority: 1}
          subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
          schema:
            openAPIV3Schema:
              type: object
              description: A thing of ours
              properties:
                spec:
                  type: object
                  properties:
                    size: {type: integer, description: how large}
                    note: {type: string}
                status: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  @Test
  void marksNodes() {
    kubectl(NODE_WITH_POD, "create", "-f", "-");

    kubectl("", "label", "node", "n1", "rack=7");
    kubectl("", "annotate", "node", "n1", "why=because");
    kubectl("", "taint", "node", "n1", "a=b:NoSchedule");
    kubectl("", "cordon", "n1");

    assertThat(get("node", "n1", "{.metadata.labels.rack} {.metadata.annotations.why}"))
        .isEqualTo("7 because");
    assertThat(get("node", "n1", "{.spec.taints[*].key} {.spec.unschedulable}"))
        .contains("a", "true");
    kubectl("", "taint", "node", "n1", "a-");
    kubectl("", "uncordon", "n1");
    assertThat(get("node", "n1", "{.spec.taints[*].key} {.spec.unschedulable}").strip())
        .isEqualTo("node.kubernetes.io/not-ready");
    assertThat(run("", "taint", "node", "n1", "a=b:Never").succeeded()).isFalse();
    assertThat(kubectl("", "describe", "node", "n1").output()).contains("web");
  }

  @Test
  void appliesChangesAndEdits() {
    kubectl(NODE_WITH_POD, "apply", "-f", "-");

    kubectl(NODE_WITH_POD.replace("zone: a", "zone: b"), "apply", "-f", "-");
    assertThat(get("node", "n1", "{.metadata.labels.zone}")).isEqualTo("b");

    setEditor("sed -i 's/zone: b/zone: c/'");
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

    // no kubelet runs the pod, so none ends it
    CommandResult drain = run("", "drain", "n1", "--force", "--timeout=5s");

    assertThat(drain.standardOutput()).contains("evicting pod default/web");
    assertThat(get("pod", "web", "{.metadata.deletionGracePeriodSeconds}")).isEqualTo("1");
    kubectl("", "delete", "pod", "web", "--force", "--grace-period=0");
    kubectl("", "wait", "--for=delete", "pod/web", "--timeout=120s");
    kubectl("", "drain", "n1", "--timeout=120s");
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
    assertThat(table("get", "things")).startsWith("NAME SIZE\na 2");
    assertThat(table("get", "things", "-o", "wide")).startsWith("NAME SIZE NOTE\n");
    kubectl("", "scale", "thing", "a", "--replicas=5");
    assertThat(get("things", "a", "{.spec.size}")).isEqualTo("5");
    assertThat(table("explain", "things.spec")).contains("size <integer>\n how large");
    assertThat(table("explain", "thing")).contains("A thing of ours");
    kubectl("", "delete", "crd", "things.example.com");
    assertThat(run("", "get", "things").succeeded()).isFalse();
  }
}
