package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetFacts.UnhealthyPods;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KeptSize;
import dev.drydock.kube.WatchBound;
import java.util.ArrayList;
import java.util.List;

/** Reads a PodDisruptionBudget of {@code policy/v1}. */
public final class BudgetReader {
  /**
   * Of all budgets that one watch keeps. A tenant may create thousands of them; the API server
   * itself is asked about pods that those without a selector may guard.
   */
  static final WatchBound<BudgetFacts> BOUND =
      new WatchBound<>(
          8 * 1024 * 1024,
          BudgetReader::selectorSize,
          BudgetFacts::withoutSelector,
          BudgetFacts::reduced);

  private BudgetReader() {}

  public static BudgetFacts read(JsonNode budget) {
    JsonNode metadata = budget.path("metadata");
    JsonNode spec = budget.path("spec");
    JsonNode status = budget.path("status");
    BudgetFacts.Builder facts =
        BudgetFacts.named(text(metadata, "namespace"), text(metadata, "name"))
            .closed(isClosed(spec))
            .version(text(metadata, "resourceVersion"))
            .disruptionsAllowed(status.path("disruptionsAllowed").asInt(0))
            .healthy(
                status.path("currentHealthy").asInt(0),
                status.path("desiredHealthy").asInt(0),
                status.path("expectedPods").asInt(0))
            .generation(
                metadata.path("generation").asLong(0), status.path("observedGeneration").asLong(0))
            .disruptedPods(status.path("disruptedPods").size())
            .unhealthyPods(
                text(spec, "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                    ? UnhealthyPods.ALWAYS_ALLOW
                    : UnhealthyPods.IF_HEALTHY_BUDGET);
    boolean tooLarge = KeptSize.isTooLarge(spec.path("selector"));
    if (spec.hasNonNull("selector") && !tooLarge) {
      facts.selector(selector(spec.path("selector")));
    }
    JsonNode allowed = PodReader.condition(status, "DisruptionAllowed");
    if (text(allowed, "reason").equals("SyncFailed")) {
      facts.syncFailure(Fields.start(allowed, "message"));
    }
    return tooLarge ? facts.build().withoutSelector() : facts.build();
  }

  private static long selectorSize(BudgetFacts budget) {
    long size = 0;
    for (Requirement each : budget.selector().map(LabelSelector::requirements).orElse(List.of())) {
      size += KeptSize.of(each.values()) + KeptSize.of(List.of(each.key()));
    }
    return size;
  }

  private static boolean isClosed(JsonNode spec) {
    String most = spec.path("maxUnavailable").asText("");
    return most.equals("0")
        || most.equals("0%")
        || spec.path("minAvailable").asText("").equals("100%");
  }

  private static LabelSelector selector(JsonNode selector) {
    List<Requirement> expressions = new ArrayList<>();
    for (JsonNode expression : selector.path("matchExpressions")) {
      expressions.add(
          Requirement.of(
              text(expression, "key"),
              text(expression, "operator"),
              Fields.list(expression.path("values"))));
    }
    return LabelSelector.of(Fields.texts(selector.path("matchLabels")), expressions);
  }
}
