package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/** Computes the allowed disruptions of each PodDisruptionBudget. */
final class DisruptionController implements Controller {
  /** How long a granted eviction counts if the pod is not deleted. */
  private static final Duration GRANT = Duration.ofMinutes(2);

  private final Registry registry;
  private final ControllerClient client;
  private final WorkQueue queue;
  private final ResourceType budgets;
  private final GuardedPods guarded;
  private final ExpectedPods expectedPods;

  DisruptionController(Registry registry, ControllerClient client, WorkQueue queue) {
    this.registry = registry;
    this.client = client;
    this.queue = queue;
    this.budgets = registry.types().require("policy", "poddisruptionbudgets");
    this.guarded = new GuardedPods(registry.store(), budgets.resource());
    this.expectedPods = new ExpectedPods(registry);
  }

  @Override
  public void changed(ObjectChange event) {
    if (event.resource().equals(budgets.resource())) {
      queue.soon(this, event.key());
    } else if (event.resource().equals(Resources.PODS) && changesCount(event)) {
      guarded.guarding(event.key(), event.object()).forEach(key -> queue.soon(this, key));
      guarded.guarding(event.key(), event.previous()).forEach(key -> queue.soon(this, key));
    } else if (ExpectedPods.isCounted(event.resource()) && isScaled(event)) {
      // the expected number of pods may have changed
      for (ObjectNode budget :
          registry.store().list(budgets.resource(), event.key().namespace()).objects()) {
        queue.soon(this, ObjectFacts.key(budget));
      }
    }
  }

  /** Most changes of workloads only reflect changes of their pods. */
  private static boolean isScaled(ObjectChange event) {
    return event.type() == ObjectChange.Type.DELETED
        || event.changes("spec", "replicas")
        || event.changes("metadata", "ownerReferences");
  }

  /** Skips pod changes that affect no budget, because counting is expensive. */
  private static boolean changesCount(ObjectChange event) {
    ObjectNode now = event.object();
    ObjectNode before = event.previous();
    return before == null
        || event.type() == ObjectChange.Type.DELETED
        || PodQueries.isReady(now) != PodQueries.isReady(before)
        || ObjectFacts.isDeleted(now) != ObjectFacts.isDeleted(before)
        || event.changes("metadata", "labels")
        || event.changes("metadata", "ownerReferences");
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode budget = registry.store().get(budgets.resource(), key);
    if (budget == null) {
      queue.notLater(this, key);
      return;
    }
    ObjectNode status = counted(key, budget);
    client.setStatus(budgets.resource(), key, status);
    Instant next =
        status
            .path("disruptedPods")
            .valueStream()
            .map(since -> Instant.parse(since.asText()).plus(GRANT))
            .min(Instant::compareTo)
            .orElse(null);
    if (next == null) {
      queue.notLater(this, key);
    } else {
      queue.at(this, key, next);
    }
  }

  private ObjectNode counted(ObjectKey key, ObjectNode budget) {
    Collection<ObjectNode> selected = guarded.of(key);
    ObjectNode status =
        budget.path("status") instanceof ObjectNode present
            ? present.deepCopy()
            : JsonTrees.object();
    ExpectedPods.Expected expected;
    try {
      expected = expectedPods.of(budget.path("spec"), selected);
    } catch (ExpectedPods.Uncountable e) {
      status.put("disruptionsAllowed", 0);
      setCondition(status, budget, false, "SyncFailed", String.valueOf(e.getMessage()));
      return status;
    }
    ObjectNode disrupted = stillDisrupted(status, selected);
    long healthy =
        selected.stream()
            .filter(pod -> !ObjectFacts.isDeleted(pod))
            .filter(pod -> !disrupted.has(JsonTrees.text(pod, "metadata", "name")))
            .filter(PodQueries::isReady)
            .count();
    int allowed = expected.pods() <= 0 ? 0 : Math.max(0, (int) healthy - expected.healthy());
    status
        .put("disruptionsAllowed", allowed)
        .put("currentHealthy", (int) healthy)
        .put("desiredHealthy", expected.healthy())
        .put("expectedPods", expected.pods());
    status.set("observedGeneration", JsonTrees.at(budget, "metadata", "generation"));
    JsonTrees.copy(status, "disruptedPods", disrupted);
    if (disrupted.isEmpty()) {
      status.remove("disruptedPods");
    }
    String reason = allowed > 0 ? "SufficientPods" : "InsufficientPods";
    setCondition(status, budget, allowed > 0, reason, "");
    return status;
  }

  /** Pods whose eviction was granted but whose deletion has not started. */
  private ObjectNode stillDisrupted(ObjectNode status, Collection<ObjectNode> selected) {
    ObjectNode disrupted = JsonTrees.object();
    Instant now = client.clock().instant();
    for (ObjectNode pod : selected) {
      String name = JsonTrees.text(pod, "metadata", "name");
      String since = JsonTrees.text(status, "disruptedPods", name);
      if (!since.isEmpty()
          && !ObjectFacts.isDeleted(pod)
          && now.isBefore(Instant.parse(since).plus(GRANT))) {
        disrupted.put(name, since);
      }
    }
    return disrupted;
  }

  private void setCondition(
      ObjectNode status, ObjectNode budget, boolean allowed, String reason, String message) {
    ArrayNode conditions = status.withArray("conditions");
    JsonNode old = conditions.path(0);
    String word = allowed ? "True" : "False";
    String since =
        JsonTrees.text(old, "status").equals(word)
            ? JsonTrees.text(old, "lastTransitionTime")
            : client.now();
    conditions.removeAll();
    ObjectNode condition =
        conditions
            .addObject()
            .put("type", "DisruptionAllowed")
            .put("status", word)
            .put("reason", reason)
            .put("message", message)
            .put("lastTransitionTime", since);
    condition.set("observedGeneration", JsonTrees.at(budget, "metadata", "generation"));
  }
}
