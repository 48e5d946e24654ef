package dev.drydock.drain.command;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;

import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Nodes that all carry the same pods, each of which is known by its part. */
final class IdenticalNodesFixture implements AutoCloseable {
  private static final String TWIN = "twin";
  private static final String PART = "part";

  /** What every node carries: a pod of each kind that a drain treats in its own way. */
  private static final String CAST =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: TWIN-web}
      spec:
        replicas: 2
        selector: {matchLabels: {twin: TWIN, part: web}}
        template: {metadata: {labels: {twin: TWIN, part: web}}, spec: {SPEC}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: TWIN-scratch}
      spec:
        selector: {matchLabels: {twin: TWIN, part: scratch}}
        template:
          metadata: {labels: {twin: TWIN, part: scratch}}
          spec: {volumes: [{name: data, emptyDir: {}}], SPEC}
      ---
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: TWIN-db}
      spec:
        serviceName: db
        selector: {matchLabels: {twin: TWIN, part: db}}
        template: {metadata: {labels: {twin: TWIN, part: db}}, spec: {SPEC}}
      ---
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: TWIN-agent}
      spec:
        selector: {matchLabels: {twin: TWIN, part: agent}}
        template: {metadata: {labels: {twin: TWIN, part: agent}}, spec: {SPEC}}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: TWIN-batch}
      spec:
        template: {metadata: {labels: {twin: TWIN, part: batch}}, spec: {restartPolicy: Never, SPEC}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: TWIN-bare, labels: {twin: TWIN, part: bare}}
      spec: {nodeName: TWIN, SPEC}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: TWIN-static
        labels: {twin: TWIN, part: static}
        annotations: {kubernetes.io/config.mirror: checksum}
        ownerReferences: [{apiVersion: v1, kind: Node, name: TWIN, uid: NODE_UID, controller: true}]
      spec: {nodeName: TWIN, SPEC}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: TWIN-done
        labels: {twin: TWIN, part: done}
        annotations: {sim.drydock.dev/complete-after: 0s}
      spec: {nodeName: TWIN, restartPolicy: Never, volumes: [{name: data, emptyDir: {}}], SPEC}
      """;

  /** In another namespace. */
  private static final String ELSEWHERE =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: TWIN-elsewhere}
      spec:
        selector: {matchLabels: {twin: TWIN, part: elsewhere}}
        template: {metadata: {labels: {twin: TWIN, part: elsewhere}}, spec: {SPEC}}
      """;

  private static final int CAST_SIZE = 10;

  /** More, for what would make other drains wait. */
  enum Extra {
    NONE("", 0),
    /** Its budget never allows an eviction. */
    GUARDED(
        """
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: TWIN-guarded}
        spec:
          selector: {matchLabels: {twin: TWIN, part: guarded}}
          template: {metadata: {labels: {twin: TWIN, part: guarded}}, spec: {SPEC}}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: TWIN-guarded}
        spec: {minAvailable: 1, selector: {matchLabels: {twin: TWIN, part: guarded}}}
        """,
        1),
    /** Two budgets guard it, which the eviction API does not accept. */
    TWICE_GUARDED(
        """
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: TWIN-twice}
        spec:
          selector: {matchLabels: {twin: TWIN, part: twice}}
          template: {metadata: {labels: {twin: TWIN, part: twice}}, spec: {SPEC}}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: TWIN-twice-a}
        spec: {maxUnavailable: 1, selector: {matchLabels: {twin: TWIN, part: twice}}}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: TWIN-twice-b}
        spec: {maxUnavailable: 1, selector: {matchLabels: {twin: TWIN, part: twice}}}
        """,
        1),
    /** Uses all the time it is given to stop. */
    SLOW(
        """
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: TWIN-slow}
        spec:
          selector: {matchLabels: {twin: TWIN, part: slow}}
          template:
            metadata:
              labels: {twin: TWIN, part: slow}
              annotations: {sim.drydock.dev/stop-after: grace}
            spec:
              terminationGracePeriodSeconds: 600
              nodeSelector: {twin: TWIN}
              containers: [{name: main, image: none}]
        """,
        1),
    /** Was deleted long ago and does not stop. */
    STUCK(
        """
        ---
        apiVersion: v1
        kind: Pod
        metadata:
          name: TWIN-stuck
          labels: {twin: TWIN, part: stuck}
          annotations: {sim.drydock.dev/refuse-stop: "true"}
        spec: {nodeName: TWIN, SPEC}
        """,
        1);

    private final String manifest;
    private final int size;

    Extra(String manifest, int size) {
      this.manifest = manifest;
      this.size = size;
    }
  }

  private static final String SPEC =
      "terminationGracePeriodSeconds: 1, nodeSelector: {twin: TWIN},"
          + " containers: [{name: main, image: none}]";

  private final ControlPlane cluster;
  private final String namespace;
  private final TestNamespace other;
  private final SimulatedKubelets kubelets;

  IdenticalNodesFixture(ControlPlane cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
    other = cluster.createNamespace(namespace + "-other");
    kubelets = SimulatedKubelets.start(cluster.client());
  }

  /** A node with the whole cast; returns when all its pods run. */
  String node(String name, Extra extra) {
    String twin = namespace + "-" + name;
    kubelets.register(twin, NodeTemplate.DEFAULT.withLabel(TWIN, twin).withLabel("of", namespace));
    create(CAST + extra.manifest, namespace, twin);
    create(ELSEWHERE, other.name(), twin);
    eventually().until(() -> settled(twin), count -> count == CAST_SIZE + extra.size);
    if (extra == Extra.STUCK) {
      cluster.client().pods().inNamespace(namespace).withName(twin + "-stuck").delete();
      eventually().until(() -> overdue(twin + "-stuck"));
    }
    if (extra == Extra.GUARDED) { // of two budgets Kubernetes may keep only one up to date
      eventually().until(() -> budgetsKnowTheirPods(twin));
    }
    return twin;
  }

  private void create(String manifest, String where, String twin) {
    String uid = cluster.client().nodes().withName(twin).require().getMetadata().getUid();
    String objects = manifest.replace("SPEC", SPEC).replace("TWIN", twin).replace("NODE_UID", uid);
    cluster.kubectlWithInput(objects, "create", "-n", where, "-f", "-").output();
  }

  private long settled(String twin) {
    return podsOn(twin).stream()
        .filter(
            pod ->
                "Succeeded".equals(pod.getStatus().getPhase())
                    || pod.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True")))
        .filter(
            pod -> !partOf(pod).equals("done") || "Succeeded".equals(pod.getStatus().getPhase()))
        .count();
  }

  private boolean overdue(String pod) {
    String deletion =
        cluster
            .client()
            .pods()
            .inNamespace(namespace)
            .withName(pod)
            .require()
            .getMetadata()
            .getDeletionTimestamp();
    return deletion != null && Instant.parse(deletion).plusSeconds(3).isBefore(Instant.now());
  }

  private boolean budgetsKnowTheirPods(String twin) {
    return cluster
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(namespace)
        .list()
        .getItems()
        .stream()
        .filter(budget -> budget.getMetadata().getName().startsWith(twin + "-"))
        .allMatch(
            budget -> budget.getStatus() != null && budget.getStatus().getCurrentHealthy() == 1);
  }

  List<Pod> podsOn(String twin) {
    return cluster
        .client()
        .pods()
        .inAnyNamespace()
        .withField("spec.nodeName", twin)
        .list()
        .getItems();
  }

  /** Parts by the pods' names with their namespace. */
  Map<String, String> parts(String twin) {
    return podsOn(twin).stream()
        .collect(
            toMap(
                pod -> pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(),
                IdenticalNodesFixture::partOf));
  }

  /** The parts that are on the node, and whether their pods are being deleted. */
  Set<String> left(String twin) {
    return podsOn(twin).stream()
        .map(pod -> partOf(pod) + (pod.isMarkedForDeletion() ? " (stopping)" : ""))
        .collect(toCollection(TreeSet::new));
  }

  boolean cordoned(String twin) {
    return Boolean.TRUE.equals(
        cluster.client().nodes().withName(twin).require().getSpec().getUnschedulable());
  }

  void uncordon(String... twins) {
    cluster
        .kubectl(Stream.concat(Stream.of("uncordon"), Stream.of(twins)).toArray(String[]::new))
        .output();
  }

  private static String partOf(Pod pod) {
    return pod.getMetadata().getLabels().getOrDefault(PART, "");
  }

  private static Eventually eventually() {
    return Eventually.inRealTime(Duration.ofMillis(200)).atMost(Duration.ofMinutes(5));
  }

  @Override
  public void close() {
    cluster.client().nodes().withLabel("of", namespace).delete();
    kubelets.close();
    other.close();
  }
}
