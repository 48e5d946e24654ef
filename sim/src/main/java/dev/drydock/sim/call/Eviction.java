package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;
import dev.drydock.sim.store.ObjectKey;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/**
 * Deletes a pod if its budgets allow it. Holds the store's lock, so the conflicts that a real
 * server retries do not occur.
 */
final class Eviction {
  private static final Set<String> NOT_PROTECTED = Set.of("Pending", "Succeeded", "Failed");
  private static final int MOST_DISRUPTED = 2_000;
  private static final int BEING_PROCESSED_SECONDS = 10;

  private final Registry registry;
  private final ResourceType pods;
  private final ResourceType budgets;
  private final Clock clock;

  Eviction(Registry registry, Clock clock) {
    this.registry = registry;
    this.pods = registry.types().require("", "pods");
    this.budgets = registry.types().require("policy", "poddisruptionbudgets");
    this.clock = clock;
  }

  void evict(ObjectKey key, DeleteOptions options) {
    ObjectNode pod = registry.require(pods, key);
    if (NOT_PROTECTED.contains(JsonTrees.text(pod, "status", "phase"))
        || ObjectFacts.isDeleted(pod)) {
      delete(key, options);
      return;
    }
    List<ObjectNode> guarding = budgetsOf(key, pod);
    if (guarding.size() > 1) {
      throw new StatusException(
          500,
          "",
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    if (!guarding.isEmpty() && !isExempt(pod, guarding.getFirst())) {
      use(guarding.getFirst(), key.name(), options.dryRun());
    }
    delete(key, options);
  }

  private List<ObjectNode> budgetsOf(ObjectKey key, ObjectNode pod) {
    if (JsonTrees.at(pod, "metadata", "labels").isEmpty()) {
      return List.of();
    }
    return registry.store().list(budgets.resource(), key.namespace()).objects().stream()
        .filter(budget -> JsonTrees.at(budget, "spec", "selector").isObject())
        .filter(
            budget ->
                LabelSelectors.matches(
                    LabelSelectors.of(JsonTrees.at(budget, "spec", "selector")), pod))
        .toList();
  }

  /** An unready pod may go if its budget's policy allows it, or if the budget is met without it. */
  private static boolean isExempt(ObjectNode pod, ObjectNode budget) {
    if (JsonTrees.hasCondition(pod, "Ready")) {
      return false;
    }
    JsonNode status = budget.path("status");
    int desired = status.path("desiredHealthy").asInt();
    return JsonTrees.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
        || (desired > 0 && status.path("currentHealthy").asInt() >= desired);
  }

  /** Takes one allowed disruption from the budget, or fails if there is none. */
  private void use(ObjectNode budget, String pod, boolean dryRun) {
    JsonNode status = budget.path("status");
    String name = JsonTrees.text(budget, "metadata", "name");
    if (status.path("observedGeneration").asInt()
        < JsonTrees.at(budget, "metadata", "generation").asInt()) {
      throw refusal(
          "The disruption budget %s is still being processed by the server.".formatted(name),
          BEING_PROCESSED_SECONDS);
    }
    int allowed = status.path("disruptionsAllowed").asInt();
    if (allowed < 0) {
      throw forbidden(pod, "pdb disruptions allowed is negative");
    }
    if (status.path("disruptedPods").size() > MOST_DISRUPTED) {
      throw forbidden(
          pod, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (allowed == 0) {
      throw refusal(whyNoneAllowed(name, status), 0);
    }
    if (!dryRun) {
      String now = ObjectFacts.stamp(clock);
      registry.update(
          budgets,
          ObjectFacts.key(budget),
          Update.ofStatus(
              current -> {
                ObjectNode used = JsonTrees.child(current, "status");
                used.put("disruptionsAllowed", allowed - 1);
                JsonTrees.child(used, "disruptedPods").put(pod, now);
                return current;
              }));
    }
  }

  private static String whyNoneAllowed(String budget, JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (JsonTrees.text(condition, "reason").equals("SyncFailed")) {
        return "The disruption budget %s does not allow evicting pods currently because it failed sync: %s"
            .formatted(budget, JsonTrees.text(condition, "message"));
      }
    }
    return "The disruption budget %s needs %d healthy pods and has %d currently"
        .formatted(
            budget, status.path("desiredHealthy").asInt(), status.path("currentHealthy").asInt());
  }

  private static StatusException refusal(String why, int retryAfterSeconds) {
    return new StatusException(
            429,
            "TooManyRequests",
            "Cannot evict pod as it would violate the pod's disruption budget.")
        .because(List.of(new Cause("DisruptionBudget", "", why)))
        .retryAfter(retryAfterSeconds);
  }

  private StatusException forbidden(String pod, String why) {
    return StatusException.forbidden(pods, pod, why)
        .because(List.of(new Cause("DisruptionBudget", "", why)));
  }

  private void delete(ObjectKey key, DeleteOptions options) {
    // first, so that evicting another pod of this name leaves no trace on this one
    registry.delete(pods, key, options.withDryRun(true));
    if (options.dryRun()) {
      return;
    }
    registry.update(pods, key, Update.ofStatus(this::withReason));
    // our own write has just replaced the requested version
    registry.delete(
        pods,
        key,
        new DeleteOptions(options.graceSeconds(), options.uid(), "", options.propagation(), false));
  }

  private ObjectNode withReason(ObjectNode pod) {
    ArrayNode conditions = JsonTrees.child(pod, "status").withArray("conditions");
    for (JsonNode condition : conditions) {
      if (JsonTrees.text(condition, "type").equals("DisruptionTarget")) {
        return pod;
      }
    }
    conditions
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "EvictionByEvictionAPI")
        .put("message", "Eviction API: evicting")
        .put("lastTransitionTime", ObjectFacts.stamp(clock));
    return pod;
  }
}
