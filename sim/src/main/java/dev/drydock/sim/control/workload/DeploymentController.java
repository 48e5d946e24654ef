package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.ObjectRefs;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.control.workload.RollingUpdate.SetState;
import dev.drydock.sim.control.workload.RollingUpdate.Wish;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rolls the pods of a Deployment from one ReplicaSet to the next. */
public final class DeploymentController extends Workloads {
  private static final String HASH = "pod-template-hash";
  private static final String REVISION = "deployment.kubernetes.io/revision";
  private static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
  private static final String MOST = "deployment.kubernetes.io/max-replicas";
  private static final int DEFAULT_HISTORY = 10;

  private final DeploymentStatus status;

  public DeploymentController(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    super(client, queue, index, Resources.DEPLOYMENTS, "Deployment");
    this.status = new DeploymentStatus(client);
  }

  @Override
  String controlled() {
    return Resources.REPLICA_SETS;
  }

  /** Also when a pod is finally gone: the Recreate strategy waits for that. */
  @Override
  public void changed(ObjectChange event) {
    super.changed(event);
    if (event.resource().equals(Resources.PODS) && event.type() == ObjectChange.Type.DELETED) {
      ObjectKey set = ObjectRefs.controllerOf(event.object(), "ReplicaSet");
      ObjectNode found = set == null ? null : client.get(Resources.REPLICA_SETS, set);
      if (found != null) {
        noteController(found);
      }
    }
  }

  @Override
  void look(ObjectKey key, ObjectNode deployment) {
    List<ObjectNode> sets = sets(deployment);
    ObjectNode young = newest(deployment, sets);
    boolean paused = JsonTrees.at(deployment, "spec", "paused").asBoolean();
    if (!ObjectFacts.isDeleted(deployment)) {
      if (paused || young == null) {
        young = paused ? scaleOnly(deployment, sets, young) : createSet(deployment, sets);
      } else {
        roll(deployment, young, others(sets, young));
        cleanUp(deployment, others(sets, young));
      }
    }
    ObjectNode counted = young == null ? null : client.get(Resources.REPLICA_SETS, key(young));
    lookAgain(key, status.write(key, deployment, sets(deployment), counted));
  }

  private List<ObjectNode> sets(ObjectNode deployment) {
    return index.controlledBy(ObjectFacts.uid(deployment)).stream()
        .filter(set -> JsonTrees.text(set, "kind").equals("ReplicaSet"))
        .toList();
  }

  private static List<ObjectNode> others(List<ObjectNode> sets, ObjectNode young) {
    return sets.stream().filter(set -> !key(set).equals(key(young))).toList();
  }

  private static ObjectKey key(ObjectNode object) {
    return ObjectFacts.key(object);
  }

  /** The ReplicaSet that matches the Deployment's template. */
  private static @Nullable ObjectNode newest(ObjectNode deployment, List<ObjectNode> sets) {
    JsonNode wanted = withoutHash(JsonTrees.at(deployment, "spec", "template"));
    return sets.stream()
        .filter(set -> withoutHash(JsonTrees.at(set, "spec", "template")).equals(wanted))
        .min(Comparator.comparing(set -> JsonTrees.text(set, "metadata", "creationTimestamp")))
        .orElse(null);
  }

  private static JsonNode withoutHash(JsonNode template) {
    ObjectNode same = template.isObject() ? template.deepCopy() : JsonTrees.object();
    ObjectNode metadata = JsonTrees.metadata(same);
    ObjectNode labels = JsonTrees.child(metadata, "labels");
    labels.remove(HASH);
    metadata.remove("creationTimestamp");
    return same;
  }

  private ObjectNode createSet(ObjectNode deployment, List<ObjectNode> sets) {
    String hash = PodTemplate.hash(withoutHash(JsonTrees.at(deployment, "spec", "template")));
    ObjectNode set = JsonTrees.object().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
    ObjectNode metadata = JsonTrees.metadata(set);
    metadata.put("namespace", JsonTrees.text(deployment, "metadata", "namespace"));
    metadata.put("name", JsonTrees.text(deployment, "metadata", "name") + "-" + hash);
    metadata.putArray("ownerReferences").add(ObjectRefs.toController(deployment));
    JsonTrees.copy(
        metadata, "labels", JsonTrees.at(deployment, "spec", "template", "metadata", "labels"));
    PodTemplate.labels(set).put(HASH, hash);
    ObjectNode annotations = JsonTrees.child(metadata, "annotations");
    annotations.put(REVISION, Long.toString(lastRevision(sets) + 1));
    annotations.put(DESIRED, Integer.toString(replicas(deployment)));
    annotations.put(MOST, Integer.toString(replicas(deployment) + wish(deployment).maxSurge()));
    ObjectNode spec = JsonTrees.child(set, "spec");
    JsonTrees.copy(spec, "minReadySeconds", JsonTrees.at(deployment, "spec", "minReadySeconds"));
    JsonTrees.copy(spec, "selector", JsonTrees.at(deployment, "spec", "selector"));
    JsonTrees.child(JsonTrees.child(spec, "selector"), "matchLabels").put(HASH, hash);
    JsonTrees.copy(spec, "template", JsonTrees.at(deployment, "spec", "template"));
    JsonTrees.child(JsonTrees.metadata(JsonTrees.child(spec, "template")), "labels")
        .put(HASH, hash);
    int wanted = sets.stream().mapToInt(Workloads::replicas).sum();
    boolean recreates = isRecreate(deployment);
    int room = replicas(deployment) + wish(deployment).maxSurge() - wanted;
    boolean waits = recreates && sets.stream().anyMatch(each -> !pods(each).isEmpty());
    spec.put(
        "replicas",
        waits ? 0 : recreates ? replicas(deployment) : Math.clamp(room, 0, replicas(deployment)));
    ObjectNode created = client.create(Resources.REPLICA_SETS, set);
    setRevision(deployment, JsonTrees.text(created, "metadata", "annotations", REVISION));
    return created;
  }

  private static long lastRevision(List<ObjectNode> sets) {
    return sets.stream()
        .map(set -> JsonTrees.text(set, "metadata", "annotations", REVISION))
        .filter(revision -> revision.matches("[0-9]+"))
        .mapToLong(Long::parseLong)
        .max()
        .orElse(0);
  }

  private void setRevision(ObjectNode deployment, String revision) {
    client.edit(
        Resources.DEPLOYMENTS,
        key(deployment),
        draft -> {
          ObjectNode annotations =
              ControllerClient.shallow(JsonTrees.at(draft, "metadata", "annotations"));
          JsonTrees.metadata(draft).set("annotations", annotations.put(REVISION, revision));
        });
  }

  private static boolean isRecreate(ObjectNode deployment) {
    return JsonTrees.text(deployment, "spec", "strategy", "type").equals("Recreate");
  }

  private static Wish wish(ObjectNode deployment) {
    JsonNode rolling = JsonTrees.at(deployment, "spec", "strategy", "rollingUpdate");
    return RollingUpdate.wish(
        replicas(deployment),
        rolling.path("maxSurge").asText("25%"),
        rolling.path("maxUnavailable").asText("25%"));
  }

  /** A paused Deployment scales its pods but does not roll out a new template. */
  private @Nullable ObjectNode scaleOnly(
      ObjectNode deployment, List<ObjectNode> sets, @Nullable ObjectNode young) {
    List<ObjectNode> active = sets.stream().filter(set -> replicas(set) > 0).toList();
    ObjectNode only = active.size() == 1 ? active.getFirst() : active.isEmpty() ? young : null;
    if (only != null) {
      scale(only, replicas(deployment));
    }
    return young;
  }

  private void roll(ObjectNode deployment, ObjectNode young, List<ObjectNode> old) {
    String revision = JsonTrees.text(young, "metadata", "annotations", REVISION);
    long newest = lastRevision(old);
    if (!revision.isEmpty() && newest >= Long.parseLong(revision)) {
      // rolled back to an earlier template, whose ReplicaSet becomes the newest again
      String raised = Long.toString(newest + 1);
      client.edit(
          Resources.REPLICA_SETS,
          key(young),
          draft -> {
            ObjectNode annotations =
                ControllerClient.shallow(JsonTrees.at(draft, "metadata", "annotations"));
            JsonTrees.metadata(draft).set("annotations", annotations.put(REVISION, raised));
          });
      setRevision(deployment, raised);
    }
    if (isRecreate(deployment)) {
      old.forEach(set -> scale(set, 0));
      boolean oldLeft = old.stream().anyMatch(set -> !pods(set).isEmpty());
      if (!oldLeft) {
        scale(young, replicas(deployment));
      }
      return;
    }
    Map<String, Integer> next =
        RollingUpdate.decide(
            wish(deployment), state(young), old.stream().map(DeploymentController::state).toList());
    old.forEach(set -> scale(set, next.getOrDefault(key(set).name(), replicas(set))));
    scale(young, next.getOrDefault(key(young).name(), replicas(young)));
  }

  private static SetState state(ObjectNode set) {
    return new SetState(
        key(set).name(),
        replicas(set),
        JsonTrees.at(set, "status", "availableReplicas").asInt(),
        JsonTrees.text(set, "metadata", "creationTimestamp"));
  }

  private void scale(ObjectNode set, int replicas) {
    if (replicas(set) != replicas) {
      client.update(
          Resources.REPLICA_SETS,
          key(set),
          each -> {
            JsonTrees.child(each, "spec").put("replicas", replicas);
            return each;
          });
    }
  }

  /** Keeps only as many old ReplicaSets as revisionHistoryLimit allows. */
  private void cleanUp(ObjectNode deployment, List<ObjectNode> old) {
    int limit = JsonTrees.at(deployment, "spec", "revisionHistoryLimit").asInt(DEFAULT_HISTORY);
    List<ObjectNode> empty =
        old.stream()
            .filter(set -> replicas(set) == 0 && pods(set).isEmpty())
            .sorted(Comparator.comparingLong(set -> lastRevision(List.of(set))))
            .toList();
    empty.stream()
        .limit(Math.max(0, empty.size() - limit))
        .forEach(set -> client.delete(Resources.REPLICA_SETS, key(set)));
  }
}
