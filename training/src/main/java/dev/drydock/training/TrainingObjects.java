package dev.drydock.training;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.training.Http2Serving.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One node with pods, some of them under a budget or of a DaemonSet; evicted pods go at once. */
final class TrainingObjects implements Http2Serving.Handler {
  static final String NODE = "node-1";
  private static final int PODS = 12;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String now = Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS) + "";
  private final Map<String, ObjectNode> pods = new LinkedHashMap<>();
  private final List<Reply> podWatches = new ArrayList<>();
  private final List<Reply> nodeWatches = new ArrayList<>();
  private ObjectNode node = JSON.createObjectNode();
  private int version = 100;

  TrainingObjects() {
    reset();
  }

  /** Puts everything back to what it was before the drain. */
  synchronized void reset() {
    podWatches.clear();
    nodeWatches.clear();
    pods.clear();
    node = read(NODE_TEXT.replace("NOW", now));
    for (int i = 0; i < PODS; i++) {
      String kind = i == 0 ? "DaemonSet" : "ReplicaSet";
      String app = i < 3 ? "guarded" : "web";
      pods.put(
          "pod-" + i,
          read(
              POD_TEXT
                  .replace("NOW", now)
                  .replace("KIND", kind)
                  .replace("APP", app)
                  .replace("NUMBER", Integer.toString(i))));
    }
  }

  @Override
  public synchronized void handle(String method, String target, String body, Reply reply) {
    String path = target.replaceFirst("\\?.*", "");
    boolean watch = target.contains("watch=true");
    String last = lastWord(path);
    if (method.equals("PATCH")) {
      merge(node, read(body));
      touch(node);
      reply.send(node.toString(), true);
      report(nodeWatches, "MODIFIED", node);
    } else if (method.equals("POST")) {
      reply.send(body, true);
      if (last.equals("eviction")) {
        evict(lastWord(path.substring(0, path.lastIndexOf('/'))));
      }
    } else if (watch) {
      watch(last, reply);
    } else if (last.equals(AndonCord.NAME)) {
      reply.notFound();
    } else {
      reply.send(
          switch (last) {
            case "nodes" -> list(List.of(node));
            case "pods" -> list(pods.values());
            case "poddisruptionbudgets" -> list(List.of(read(BUDGET_TEXT.replace("NOW", now))));
            case NODE -> node.toString();
            default -> OWNER_TEXT;
          },
          true);
    }
  }

  private static String lastWord(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private void watch(String kind, Reply reply) {
    reply.send(" ", false); // an answer begins only with its first byte
    if (kind.equals("pods")) {
      podWatches.add(reply);
    } else if (kind.equals("nodes")) {
      nodeWatches.add(reply);
    }
  }

  private void evict(String name) {
    ObjectNode pod = pods.remove(name);
    if (pod == null) {
      return;
    }
    ObjectNode metadata = (ObjectNode) pod.path("metadata");
    metadata.put("deletionTimestamp", now).put("deletionGracePeriodSeconds", 30);
    touch(pod);
    report(podWatches, "MODIFIED", pod);
    touch(pod);
    report(podWatches, "DELETED", pod);
  }

  private static void report(List<Reply> watches, String type, ObjectNode object) {
    ObjectNode event = JSON.createObjectNode().put("type", type);
    event.set("object", object);
    String line = event + "\n";
    for (Iterator<Reply> all = watches.iterator(); all.hasNext(); ) {
      try {
        all.next().send(line, false);
      } catch (UncheckedIOException gone) {
        all.remove(); // of a command that has ended
      }
    }
  }

  private void touch(ObjectNode object) {
    ((ObjectNode) object.path("metadata")).put("resourceVersion", Integer.toString(version++));
  }

  private String list(Iterable<ObjectNode> items) {
    ObjectNode list = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "List");
    list.putObject("metadata").put("resourceVersion", Integer.toString(version));
    items.forEach(list.putArray("items")::add);
    return list.toString();
  }

  private static void merge(ObjectNode into, JsonNode patch) {
    patch
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isObject() && into.path(field.getKey()).isObject()) {
                merge((ObjectNode) into.path(field.getKey()), field.getValue());
              } else {
                into.set(field.getKey(), field.getValue());
              }
            });
  }

  private static ObjectNode read(String text) {
    try {
      return (ObjectNode) JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final String NODE_TEXT =
      """
      {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","uid":"n-1","resourceVersion":"1",
      "creationTimestamp":"NOW","labels":{"kubernetes.io/os":"linux"},"annotations":{}},"spec":{},
      "status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"",
      "lastHeartbeatTime":"NOW","lastTransitionTime":"NOW"}]}}""";

  private static final String POD_TEXT =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-NUMBER","namespace":"default",
      "uid":"p-NUMBER","resourceVersion":"NUMBER","creationTimestamp":"NOW","labels":{"app":"APP"},
      "annotations":{"a":"b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"KIND","name":"owner",
      "uid":"o-1","controller":true,"blockOwnerDeletion":true}]},"spec":{"nodeName":"node-1",
      "restartPolicy":"Always","terminationGracePeriodSeconds":30,"priority":0,
      "volumes":[{"name":"v","configMap":{"name":"c"}}],
      "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute"}],
      "containers":[{"name":"main","image":"i"}]},"status":{"phase":"Running","startTime":"NOW",
      "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"NOW"}],
      "containerStatuses":[{"name":"main","ready":true,"state":{"running":{"startedAt":"NOW"}}}]}}""";

  private static final String BUDGET_TEXT =
      """
      {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"guard",
      "namespace":"default","uid":"b-1","resourceVersion":"1","generation":1,"creationTimestamp":"NOW"},
      "spec":{"maxUnavailable":1,"selector":{"matchLabels":{"app":"guarded"}}},
      "status":{"observedGeneration":1,"disruptionsAllowed":1,"currentHealthy":3,"desiredHealthy":2,
      "expectedPods":3,"conditions":[]}}""";

  private static final String OWNER_TEXT =
      """
      {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"owner","namespace":"default",
      "uid":"o-1"},"spec":{"template":{"spec":{}}},"major":"1","minor":"0","gitVersion":"v1.0.0"}""";
}
