package dev.drydock.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.simulate.fleet.Budget;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.simulate.fleet.Workload.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A fleet as API objects. Deployments become ReplicaSets: their templates never change here. Pods
 * that fit on nodes are created running; all others are left to their controllers and the
 * scheduler.
 */
final class FleetObjects {
  private final Fleet fleet;
  private final Placement placement;
  private final String createdAt;
  private final List<ObjectNode> objects = new ArrayList<>();

  private FleetObjects(Fleet fleet, Instant createdAt) {
    this.fleet = fleet;
    this.placement = Placement.of(fleet);
    this.createdAt = createdAt.toString();
  }

  static List<ObjectNode> of(Fleet fleet, Instant createdAt) {
    FleetObjects all = new FleetObjects(fleet, createdAt);
    fleet.pools().forEach(pool -> pool.nodes().forEach(node -> all.addNode(pool, node)));
    fleet.workloads().forEach(all::addWorkload);
    fleet.budgets().forEach(all::addBudget);
    return all.objects;
  }

  private ObjectNode add(String apiVersion, String kind, String namespace, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    metadata.put("uid", uid(kind, namespace, name)).put("creationTimestamp", createdAt);
    objects.add(object);
    return object;
  }

  /**
   * Depends only on names and the seed, so that objects can refer to each other before they exist.
   */
  private String uid(String kind, String namespace, String name) {
    String text = String.join("/", Long.toString(fleet.seed()), kind, namespace, name);
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static ObjectNode metadata(ObjectNode object) {
    return (ObjectNode) object.path("metadata");
  }

  private static void put(ObjectNode object, String name, Map<String, String> texts) {
    ObjectNode values = object.putObject(name);
    new TreeMap<>(texts).forEach(values::put);
  }

  private void addNode(Pool pool, Pool.Node node) {
    ObjectNode object = add("v1", "Node", "", node.name());
    put(metadata(object), "labels", pool.labelsOf(node));
    ObjectNode spec = object.putObject("spec");
    if (node.cordoned()) {
      spec.put("unschedulable", true);
    }
    ArrayNode taints = spec.putArray("taints");
    pool.taints()
        .forEach(
            taint ->
                taints
                    .addObject()
                    .put("key", taint.key())
                    .put("value", taint.value())
                    .put("effect", taint.effect()));
    ObjectNode status = object.putObject("status");
    put(status, "capacity", pool.capacity());
    put(status, "allocatable", pool.capacity());
  }

  private void addWorkload(Workload workload) {
    PodTemplates template = new PodTemplates(fleet, workload);
    switch (workload.kind()) {
      case Bare -> addBare(workload, template);
      case Job -> addJob(workload, template);
      case Deployment, StatefulSet, DaemonSet -> {
        if (workload.traits().pinned()) {
          addPinned(workload, template);
        } else {
          addController(workload, template);
        }
      }
    }
  }

  private void addController(Workload workload, PodTemplates template) {
    String kind = workload.kind() == Kind.Deployment ? "ReplicaSet" : workload.kind().name();
    ObjectNode owner = add("apps/v1", kind, workload.namespace(), workload.name());
    ObjectNode spec = owner.putObject("spec");
    if (workload.kind() != Kind.DaemonSet) {
      spec.put("replicas", workload.replicas());
    }
    if (workload.kind() != Kind.Deployment) {
      // existing pods have no revision, and must not be replaced because of that
      spec.putObject("updateStrategy").put("type", "OnDelete");
    }
    if (workload.kind() == Kind.StatefulSet) {
      spec.put("podManagementPolicy", "Parallel").put("serviceName", workload.name());
    }
    put(spec.putObject("selector"), "matchLabels", workload.labels());
    spec.set("template", template.template());
    addPlaced(workload, template, owner);
  }

  private void addJob(Workload workload, PodTemplates template) {
    ObjectNode owner = add("batch/v1", "Job", workload.namespace(), workload.name());
    ObjectNode spec = owner.putObject("spec");
    spec.put("parallelism", workload.replicas()).put("completions", workload.replicas());
    spec.put("backoffLimit", 1_000_000).put("manualSelector", true);
    put(spec.putObject("selector"), "matchLabels", workload.labels());
    ObjectNode pod = template.template();
    ((ObjectNode) pod.path("spec")).put("restartPolicy", "Never");
    spec.set("template", pod);
    addPlaced(workload, template, owner);
  }

  /** One controller per pod, whose template names the node. */
  private void addPinned(Workload workload, PodTemplates template) {
    List<String> nodes = template.pinnedTo();
    for (int i = 0; i < nodes.size(); i++) {
      String name = workload.name() + "-" + (i + 1);
      ObjectNode owner = add("apps/v1", "ReplicaSet", workload.namespace(), name);
      ObjectNode spec = owner.putObject("spec").put("replicas", 1);
      Map<String, String> labels = new TreeMap<>(workload.labels());
      labels.put("pinned-to", nodes.get(i));
      put(spec.putObject("selector"), "matchLabels", labels);
      ObjectNode pod = template.template();
      put(metadata(pod), "labels", labels);
      ((ObjectNode) pod.path("spec")).put("nodeName", nodes.get(i));
      spec.set("template", pod);
    }
  }

  private void addBare(Workload workload, PodTemplates template) {
    List<String> nodes = placement.of(workload);
    for (int i = 0; i < workload.replicas(); i++) {
      String name = workload.replicas() == 1 ? workload.name() : workload.name() + "-" + (i + 1);
      ObjectNode pod = add("v1", "Pod", workload.namespace(), name);
      fill(pod, template, i, i < nodes.size() ? nodes.get(i) : "");
    }
  }

  private void addPlaced(Workload workload, PodTemplates template, ObjectNode owner) {
    List<String> nodes = placement.of(workload);
    for (int i = 0; i < nodes.size(); i++) {
      // Like the controllers: a StatefulSet counts from 0, others generate names.
      String suffix =
          workload.kind() == Kind.StatefulSet
              ? Integer.toString(i)
              : uid("suffix", workload.toString(), Integer.toString(i)).substring(0, 8);
      ObjectNode pod = add("v1", "Pod", workload.namespace(), workload.name() + "-" + suffix);
      fill(pod, template, i, nodes.get(i));
      ObjectNode metadata = metadata(pod);
      if (workload.kind() == Kind.StatefulSet) {
        ObjectNode labels = metadata.path("labels").deepCopy();
        metadata.set("labels", labels);
        labels.put("statefulset.kubernetes.io/pod-name", workload.name() + "-" + i);
        labels.put("apps.kubernetes.io/pod-index", Integer.toString(i));
      }
      if (workload.kind() == Kind.Job) {
        ((ObjectNode) pod.path("spec")).put("restartPolicy", "Never");
        metadata.putArray("finalizers").add("batch.kubernetes.io/job-tracking");
      }
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", owner.path("apiVersion").asText())
          .put("kind", owner.path("kind").asText())
          .put("name", workload.name())
          .put("uid", metadata(owner).path("uid").asText())
          .put("controller", true)
          .put("blockOwnerDeletion", true);
    }
  }

  private void fill(ObjectNode pod, PodTemplates template, int index, String node) {
    ObjectNode made = template.shared();
    metadata(pod).setAll((ObjectNode) made.path("metadata"));
    pod.putObject("spec").setAll((ObjectNode) made.path("spec"));
    if (node.isEmpty()) {
      return;
    }
    ((ObjectNode) pod.path("spec")).put("nodeName", node);
    ObjectNode status = pod.putObject("status").put("phase", "Running").put("startTime", createdAt);
    if (template.isUnready(index)) {
      // recorded for the kubelet that adopts the pod
      metadata(pod).set("annotations", metadata(pod).path("annotations").deepCopy());
      status
          .putArray("conditions")
          .addObject()
          .put("type", "Ready")
          .put("status", "False")
          .put("lastTransitionTime", createdAt);
    }
  }

  private void addBudget(Budget budget) {
    ObjectNode object = add("policy/v1", "PodDisruptionBudget", budget.namespace(), budget.name());
    ObjectNode spec = object.putObject("spec");
    if (budget.amount().endsWith("%")) {
      spec.put(budget.limit().name(), budget.amount());
    } else {
      spec.put(budget.limit().name(), Integer.parseInt(budget.amount()));
    }
    if (budget.alwaysAllowUnhealthy()) {
      spec.put("unhealthyPodEvictionPolicy", "AlwaysAllow");
    }
    budget.selector().ifPresent(selector -> spec.set("selector", selector(selector)));
  }

  private static ObjectNode selector(LabelSelector selector) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    ArrayNode expressions = object.putArray("matchExpressions");
    for (Requirement requirement : selector.requirements()) {
      expressions.add(PodTemplates.expression(requirement));
    }
    return object;
  }
}
