package dev.drydock.drain.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A tenant who may do anything in a namespace of its own: it makes, edits and deletes pods, budgets
 * and controllers that get in the way of drains, whenever the engine calls, for some time. Then it
 * takes back what nobody but itself can: budgets, finalizers and controllers. The same seed does
 * the same in the same situations.
 */
final class HostileTenant {
  static final String NAMESPACE = "tenant";
  private static final int ACTIONS = 40;
  private static final ObjectMapper YAML = new YAMLMapper();

  /** Owners as nobody but a tenant would write them. */
  private static final List<String> OWNERS =
      List.of(
          "",
          "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: 'a%zz', uid: u, controller: true}]",
          "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: gone, uid: u, controller: true}]",
          "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: n-work-1, uid: u, controller: true}]",
          "ownerReferences: [{apiVersion: 'x/../v1', kind: Web, name: '..', uid: u, controller: true}]");

  private final SimulatedCluster cluster;
  private final List<String> nodes;
  private final Random random;
  private final List<String> pods = new ArrayList<>();
  private int left = ACTIONS;
  private int count;

  HostileTenant(SimulatedCluster cluster, List<String> nodes, long seed) {
    this.cluster = cluster;
    this.nodes = nodes;
    random = new Random(seed * 17);
    var _ = create("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(NAMESPACE));
    for (int i = 0; i < 3; i++) {
      pod();
    }
  }

  /** Acts before a call now and then. */
  RequestInterceptor beside(RequestInterceptor next) {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {
        act();
        next.before(call);
      }

      @Override
      public void after(ApiCall call, int code) {
        next.after(call, code);
      }
    };
  }

  /** So many times; then it withdraws. */
  synchronized void act() {
    if (left == 0) {
      return;
    }
    left--;
    if (left == 0) {
      withdraw();
      return;
    }
    switch (random.nextInt(9)) {
      case 0, 1 -> pod();
      case 2 -> budget();
      case 3 -> pinnedPods();
      case 4 -> edit("{metadata: {labels: {app: web, drydock.dev/maintenance: forged}}}");
      case 5 -> edit("{metadata: {finalizers: [tenant.example/held]}}");
      case 6 -> edit("{metadata: {annotations: {kubernetes.io/config.mirror: forged}}}");
      case 7 -> delete("Pod", any());
      default -> delete("PodDisruptionBudget", "all-" + (1 + random.nextInt(count + 1)));
    }
  }

  private String any() {
    return pods.isEmpty() ? "none" : pods.get(random.nextInt(pods.size()));
  }

  private void pod() {
    count++;
    boolean made =
        create(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: odd-%d
              namespace: tenant
              labels: {app: odd}
              annotations: {nodeset.slinky.slurm.net/pod-deadline: '9999-99-99'}
              %s
            spec:
              nodeName: %s
              terminationGracePeriodSeconds: 1
              activeDeadlineSeconds: 2147483647
              containers: [{name: main, image: none}]
            """
                .formatted(
                    count,
                    OWNERS.get(random.nextInt(OWNERS.size())),
                    nodes.get(random.nextInt(nodes.size()))));
    if (made) {
      pods.add("odd-" + count);
    }
  }

  /** Over all pods of its namespace, of which it lets none go. */
  private void budget() {
    count++;
    var _ =
        create(
            """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: all-%d, namespace: tenant}
            spec: {maxUnavailable: 0, selector: {}}
            """
                .formatted(count));
  }

  /** Which come back to the node for ever. */
  private void pinnedPods() {
    count++;
    var _ =
        create(
            """
            apiVersion: apps/v1
            kind: ReplicaSet
            metadata: {name: pinned-%d, namespace: tenant}
            spec:
              replicas: 1
              selector: {matchLabels: {app: pinned-%d}}
              template:
                metadata: {labels: {app: pinned-%d}}
                spec:
                  nodeName: %s
                  terminationGracePeriodSeconds: 1
                  containers: [{name: main, image: none}]
            """
                .formatted(count, count, count, nodes.get(random.nextInt(nodes.size()))));
  }

  private void edit(String patch) {
    var _ = cluster.patch("Pod", NAMESPACE, any(), "", yaml(patch));
  }

  private void delete(String kind, String name) {
    var _ = cluster.delete(kind, NAMESPACE, name, null);
  }

  private boolean create(String object) {
    return cluster.create(yaml(object)).isSuccess();
  }

  /** What nobody else can, or may, take away. */
  synchronized void withdraw() {
    left = 0;
    for (String kind : List.of("PodDisruptionBudget", "ReplicaSet")) {
      cluster
          .list(kind, NAMESPACE, "")
          .body()
          .path("items")
          .forEach(item -> delete(kind, item.at("/metadata/name").asText()));
    }
    for (String pod : pods) {
      ObjectNode there = cluster.find("Pod", NAMESPACE, pod);
      if (there != null) {
        var _ =
            cluster.patch(
                "Pod",
                NAMESPACE,
                pod,
                "",
                yaml(
                    "{metadata: {finalizers: null, annotations: {kubernetes.io/config.mirror: null}}}"));
      }
    }
  }

  private static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }
}
