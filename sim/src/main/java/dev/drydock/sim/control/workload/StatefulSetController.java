package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.control.workload.StatefulSteps.PodState;
import dev.drydock.sim.control.workload.StatefulSteps.Step;
import dev.drydock.sim.control.workload.StatefulSteps.Wish;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Maintains the numbered pods of a StatefulSet. */
public final class StatefulSetController extends Workloads {
  private static final String REVISION = "controller-revision-hash";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /** The old template, which pods below the partition keep. */
  private final Map<String, JsonNode> templates = new HashMap<>();

  public StatefulSetController(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    super(client, queue, index, Resources.STATEFUL_SETS, "StatefulSet");
  }

  @Override
  public void changed(ObjectChange event) {
    super.changed(event);
    if (event.resource().equals(resource()) && event.type() == ObjectChange.Type.DELETED) {
      String uid = ObjectFacts.uid(event.object());
      templates.keySet().removeIf(key -> key.startsWith(uid));
    }
  }

  @Override
  void look(ObjectKey key, ObjectNode set) {
    JsonNode template = JsonTrees.at(set, "spec", "template");
    String updated = key.name() + "-" + PodTemplate.hash(template);
    String known = JsonTrees.text(set, "status", "currentRevision");
    String current = known.isEmpty() ? updated : known;
    templates.putIfAbsent(ObjectFacts.uid(set) + updated, template);
    if (!ObjectFacts.isDeleted(set)) {
      Wish wish = wish(set);
      List<PodState> states = pods(set).stream().map(pod -> state(set, pod, updated)).toList();
      for (Step step : StatefulSteps.decide(wish, states)) {
        ObjectKey pod = new ObjectKey(key.namespace(), key.name() + "-" + step.number());
        if (step.creates()) {
          boolean old = wish.rolls() && step.number() < wish.first() + wish.partition();
          create(set, pod.name(), step.number(), old ? current : updated);
        } else {
          client.delete(Resources.PODS, pod);
        }
      }
    }
    client.setStatus(Resources.STATEFUL_SETS, key, status(key, set, current, updated));
  }

  private static Wish wish(ObjectNode set) {
    JsonNode strategy = JsonTrees.at(set, "spec", "updateStrategy");
    return new Wish(
        JsonTrees.at(set, "spec", "ordinals", "start").asInt(),
        replicas(set),
        !JsonTrees.text(set, "spec", "podManagementPolicy").equals("Parallel"),
        !JsonTrees.text(strategy, "type").equals("OnDelete"),
        JsonTrees.at(strategy, "rollingUpdate", "partition").asInt());
  }

  private PodState state(ObjectNode set, ObjectNode pod, String updated) {
    Instant from = PodQueries.availableFrom(pod, minReadySeconds(set));
    return new PodState(
        number(pod),
        revision(pod).equals(updated),
        from != null && !from.isAfter(client.clock().instant()),
        ObjectFacts.isDeleted(pod),
        PodQueries.isFinished(pod));
  }

  private static int number(ObjectNode pod) {
    String name = JsonTrees.text(pod, "metadata", "name");
    String number = name.substring(name.lastIndexOf('-') + 1);
    return NUMBER.matcher(number).matches() ? Integer.parseInt(number) : -1;
  }

  private static String revision(ObjectNode pod) {
    return JsonTrees.text(pod, "metadata", "labels", REVISION);
  }

  private void create(ObjectNode set, String name, int number, String revision) {
    JsonNode template =
        templates.getOrDefault(
            ObjectFacts.uid(set) + revision, JsonTrees.at(set, "spec", "template"));
    ObjectNode like = ControllerClient.shallow(set);
    ObjectNode spec = ControllerClient.shallow(set.path("spec"));
    spec.set("template", template);
    like.set("spec", spec);
    ObjectNode pod = PodTemplate.pod(like);
    JsonTrees.metadata(pod).put("name", name);
    PodTemplate.labels(pod)
        .put("statefulset.kubernetes.io/pod-name", name)
        .put("apps.kubernetes.io/pod-index", Integer.toString(number))
        .put(REVISION, revision);
    JsonTrees.child(pod, "spec").put("hostname", name);
    String service = JsonTrees.text(set, "spec", "serviceName");
    if (!service.isEmpty()) {
      JsonTrees.child(pod, "spec").put("subdomain", service);
    }
    createPod(pod);
  }

  private ObjectNode status(ObjectKey key, ObjectNode set, String current, String updated) {
    List<ObjectNode> pods = pods(set);
    int newOnes = (int) pods.stream().filter(pod -> revision(pod).equals(updated)).count();
    int available = available(key, set, pods);
    boolean rolled = newOnes == pods.size() && available == replicas(set);
    String now = rolled ? updated : current;
    ObjectNode status = statusOf(set, Set.of());
    status.put("replicas", pods.size());
    putCount(status, "readyReplicas", (int) pods.stream().filter(PodQueries::isReady).count());
    status.put("availableReplicas", available);
    putCount(
        status,
        "currentReplicas",
        (int) pods.stream().filter(pod -> revision(pod).equals(now)).count());
    putCount(status, "updatedReplicas", newOnes);
    return status
        .put("currentRevision", now)
        .put("updateRevision", updated)
        .put("collisionCount", 0);
  }
}
