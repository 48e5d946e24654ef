package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.Json;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/** Counts for each disruption budget how many of its pods may go. */
final class DisruptionController implements Controller {
  /** How long a granted eviction counts if the pod does not begin to go. */
  private static final Duration GRANT = Duration.ofMinutes(2);

  private final Registry registry;
  private final Writes writes;
  private final Agenda agenda;
  private final ResourceType budgets;
  private final GuardedPods guarded;
  private final ExpectedPods expectedPods;

  DisruptionController(Registry registry, Writes writes, Agenda agenda) {
    this.registry = registry;
    this.writes = writes;
    this.agenda = agenda;
    this.budgets = registry.types().require("policy", "poddisruptionbudgets");
    this.guarded = new GuardedPods(registry.store(), budgets.resource());
    this.expectedPods = new ExpectedPods(registry);
  }

  @Override
  public void changed(StoredEvent event) {
    if (event.resource().equals(budgets.resource())) {
      agenda.soon(this, event.key());
    } else if (event.resource().equals(Resources.PODS) && changesCount(event)) {
      guarded.guarding(event.key(), event.object()).forEach(key -> agenda.soon(this, key));
      guarded.guarding(event.key(), event.previous()).forEach(key -> agenda.soon(this, key));
    } else if (ExpectedPods.isCounted(event.resource()) && isScaled(event)) {
      // how many there should be may have changed
      for (ObjectNode budget :
          registry.store().list(budgets.resource(), event.key().namespace()).objects()) {
        agenda.soon(this, ObjectFacts.key(budget));
      }
    }
  }

  /** Most changes of workloads are news of their pods. */
  private static boolean isScaled(StoredEvent event) {
    ObjectNode before = event.previous();
    return before == null
        || event.type() == StoredEvent.Type.DELETED
        || !Json.at(before, "spec", "replicas").equals(Json.at(event.object(), "spec", "replicas"))
        || !Json.at(before, "metadata", "ownerReferences")
            .equals(Json.at(event.object(), "metadata", "ownerReferences"));
  }

  /** Most changes of pods do not matter to any budget, and counting is long. */
  private static boolean changesCount(StoredEvent event) {
    ObjectNode now = event.object();
    ObjectNode before = event.previous();
    return before == null
        || event.type() == StoredEvent.Type.DELETED
        || ObjectFacts.isReady(now) != ObjectFacts.isReady(before)
        || ObjectFacts.isDeleted(now) != ObjectFacts.isDeleted(before)
        || !Json.at(now, "metadata", "labels").equals(Json.at(before, "metadata", "labels"))
        || !Json.at(now, "metadata", "ownerReferences")
            .equals(Json.at(before, "metadata", "ownerReferences"));
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode budget = registry.store().get(budgets.resource(), key);
    if (budget == null) {
      agenda.notLater(this, key);
      return;
    }
    ObjectNode status = counted(key, budget);
    writes.setStatus(budgets.resource(), key, status);
    Instant next =
        status
            .path("disruptedPods")
            .valueStream()
            .map(since -> Instant.parse(since.asText()).plus(GRANT))
            .min(Instant::compareTo)
            .orElse(null);
    if (next == null) {
      agenda.notLater(this, key);
    } else {
      agenda.at(this, key, next);
    }
  }

  private ObjectNode counted(ObjectKey key, ObjectNode budget) {
    Collection<ObjectNode> selected = guarded.of(key);
    ObjectNode status =
        budget.path("status") instanceof ObjectNode present ? present.deepCopy() : Json.object();
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
            .filter(pod -> !disrupted.has(Json.text(pod, "metadata", "name")))
            .filter(ObjectFacts::isReady)
            .count();
    int allowed = expected.pods() <= 0 ? 0 : Math.max(0, (int) healthy - expected.healthy());
    status
        .put("disruptionsAllowed", allowed)
        .put("currentHealthy", (int) healthy)
        .put("desiredHealthy", expected.healthy())
        .put("expectedPods", expected.pods());
    status.set("observedGeneration", Json.at(budget, "metadata", "generation"));
    Json.copy(status, "disruptedPods", disrupted);
    if (disrupted.isEmpty()) {
      status.remove("disruptedPods");
    }
    String reason = allowed > 0 ? "SufficientPods" : "InsufficientPods";
    setCondition(status, budget, allowed > 0, reason, "");
    return status;
  }

  /** Pods that may go by a grant, and have not begun to. */
  private ObjectNode stillDisrupted(ObjectNode status, Collection<ObjectNode> selected) {
    ObjectNode disrupted = Json.object();
    Instant now = writes.clock().instant();
    for (ObjectNode pod : selected) {
      String name = Json.text(pod, "metadata", "name");
      String since = Json.text(status, "disruptedPods", name);
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
        Json.text(old, "status").equals(word) ? Json.text(old, "lastTransitionTime") : writes.now();
    conditions.removeAll();
    ObjectNode condition =
        conditions
            .addObject()
            .put("type", "DisruptionAllowed")
            .put("status", word)
            .put("reason", reason)
            .put("message", message)
            .put("lastTransitionTime", since);
    condition.set("observedGeneration", Json.at(budget, "metadata", "generation"));
  }
}
