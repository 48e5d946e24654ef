package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.Json;
import dev.drydock.sim.select.LabelSelector;
import dev.drydock.sim.store.StoredEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts for each disruption budget how many of its pods may go. */
final class DisruptionController implements Controllers.Controller {
  /** How long a granted eviction counts if the pod does not begin to go. */
  private static final Duration GRANT = Duration.ofMinutes(2);

  private final Registry registry;
  private final ResourceType budgets;
  private final ResourceType pods;
  private final ExpectedPods expectedPods;
  private final Clock clock;

  DisruptionController(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
    this.budgets = registry.types().require("policy", "poddisruptionbudgets");
    this.pods = registry.types().require("", "pods");
    this.expectedPods = new ExpectedPods(registry);
  }

  @Override
  public void changed(StoredEvent event) {
    if (event.resource().equals(budgets.resource())) {
      if (event.type() != StoredEvent.Type.DELETED) {
        count(event.object());
      }
    } else if (event.resource().equals(pods.resource()) && changesCount(event)) {
      for (ObjectNode budget : budgetsIn(event.key().namespace())) {
        if (selects(budget, event.object()) || selects(budget, event.previous())) {
          count(budget);
        }
      }
    } else if (ExpectedPods.isCounted(event.resource())) {
      // how many there should be may have changed
      budgetsIn(event.key().namespace()).forEach(this::count);
    }
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
  public void timePassed() {
    registry.store().list(budgets.resource(), null).objects().stream()
        .filter(budget -> !Json.at(budget, "status", "disruptedPods").isEmpty())
        .forEach(this::count);
  }

  private List<ObjectNode> budgetsIn(String namespace) {
    return registry.store().list(budgets.resource(), namespace).objects();
  }

  private static boolean selects(ObjectNode budget, @Nullable ObjectNode pod) {
    JsonNode selector = Json.at(budget, "spec", "selector");
    return pod != null && selector.isObject() && LabelSelector.of(selector).matches(pod);
  }

  private void count(ObjectNode seen) {
    if (registry.store().get(budgets.resource(), ObjectFacts.key(seen)) != null) {
      registry.update(budgets, ObjectFacts.key(seen), Update.ofStatus(this::counted));
    }
  }

  private ObjectNode counted(ObjectNode budget) {
    List<ObjectNode> selected =
        registry
            .store()
            .list(pods.resource(), Json.text(budget, "metadata", "namespace"))
            .objects()
            .stream()
            .filter(pod -> selects(budget, pod))
            .toList();
    ObjectNode status = Json.child(budget, "status");
    ExpectedPods.Expected expected;
    try {
      expected = expectedPods.of(budget.path("spec"), selected);
    } catch (ExpectedPods.Uncountable e) {
      status.put("disruptionsAllowed", 0);
      setCondition(status, budget, false, "SyncFailed", String.valueOf(e.getMessage()));
      return budget;
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
    return budget;
  }

  /** Pods that may go by a grant, and have not begun to. */
  private ObjectNode stillDisrupted(ObjectNode status, List<ObjectNode> selected) {
    ObjectNode disrupted = Json.object();
    Instant now = clock.instant();
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
        Json.text(old, "status").equals(word)
            ? Json.text(old, "lastTransitionTime")
            : ObjectFacts.stamp(clock);
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
