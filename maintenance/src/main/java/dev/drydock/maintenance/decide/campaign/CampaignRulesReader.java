package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.contracts.LabelSyntax;
import dev.drydock.contracts.Limits;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Exclusion;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.NodeSelector;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parses a campaign's spec and collects every mistake in it, each with its field. */
final class CampaignRulesReader {
  private final List<SpecMistake> mistakes = new ArrayList<>();

  CampaignRules.Reading read(
      MaintenanceCampaignSpec spec, Optional<MaintenanceClassSpec> maintenanceClass) {
    List<BudgetLevel> budgets = new ArrayList<>(budgets("spec.budgets", spec.budgets()));
    maintenanceClass.ifPresent(
        rules ->
            budgets.addAll(
                budgets(
                    "MaintenanceClass " + spec.maintenanceClass() + " spec.budgets",
                    rules.budgets())));
    if (budgets.isEmpty()) {
      budgets.add(BudgetLevel.DEFAULT);
    }
    CampaignRules rules =
        new CampaignRules(
            selector(spec.nodeSelector()),
            budgets,
            new Windows(windows(spec.windows()), exclusions(spec.exclusions())),
            new Batches(canary(spec.canary()), growth(spec.batches())),
            spec.order() == null ? CampaignOrder.SOONEST : spec.order(),
            deferral(spec.patience()),
            atLeastOne("spec.stopOnFailures", spec.stopOnFailures()).orElse(1),
            spec.approval() != null && Boolean.TRUE.equals(spec.approval().required()));
    return new CampaignRules.Reading(
        mistakes.isEmpty() ? Optional.of(rules) : Optional.empty(), List.copyOf(mistakes));
  }

  private LabelSelector selector(NodeSelector selector) {
    String field = "spec.nodeSelector";
    Map<String, String> labels = selector.matchLabels() == null ? Map.of() : selector.matchLabels();
    labels.forEach(
        (key, value) ->
            check(
                field + ".matchLabels",
                () -> {
                  LabelSyntax.checkKey(key);
                  LabelSyntax.checkValue(value);
                }));
    List<Requirement> requirements = new ArrayList<>();
    List<MaintenanceCampaignSpec.Requirement> expressions = orEmpty(selector.matchExpressions());
    for (int i = 0; i < expressions.size(); i++) {
      MaintenanceCampaignSpec.Requirement expression = expressions.get(i);
      read(field + ".matchExpressions[" + i + "]", () -> requirement(expression))
          .ifPresent(requirements::add);
    }
    return LabelSelector.of(labels, requirements);
  }

  private static Requirement requirement(MaintenanceCampaignSpec.Requirement expression) {
    LabelSyntax.checkKey(expression.key());
    List<String> values = orEmpty(expression.values());
    values.forEach(LabelSyntax::checkValue);
    Operator operator =
        Operator.find(expression.operator())
            .filter(each -> !each.comparesNumbers())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "operator \""
                            + expression.operator()
                            + "\" is not known; write In, NotIn, Exists or DoesNotExist"));
    return new Requirement(expression.key(), operator, new TreeSet<>(values));
  }

  private List<BudgetLevel> budgets(String field, @Nullable List<DomainBudget> budgets) {
    List<BudgetLevel> levels = new ArrayList<>();
    Set<Optional<String>> keys = new HashSet<>();
    List<DomainBudget> all = orEmpty(budgets);
    for (int i = 0; i < all.size(); i++) {
      DomainBudget budget = all.get(i);
      String at = field + "[" + i + "]";
      read(at + ".maxUnavailable", () -> BudgetLevel.of(budget)).ifPresent(levels::add);
      Optional<String> key = Optional.ofNullable(budget.key());
      key.ifPresent(name -> check(at + ".key", () -> LabelSyntax.checkKey(name)));
      if (!keys.add(key)) {
        String what = key.map(name -> "\"" + name + "\" is").orElse("all nodes are");
        mistakes.add(
            new SpecMistake(at + ".key", what + " limited above already; keep one of them"));
      }
    }
    return levels;
  }

  private List<Window> windows(@Nullable List<MaintenanceCampaignSpec.Window> windows) {
    List<Window> read = new ArrayList<>();
    List<MaintenanceCampaignSpec.Window> all = orEmpty(windows);
    for (int i = 0; i < all.size(); i++) {
      MaintenanceCampaignSpec.Window window = all.get(i);
      recurring("spec.windows[" + i + "]", window.schedule(), window.duration(), window.timeZone())
          .ifPresent(read::add);
    }
    return read;
  }

  private List<Window> exclusions(@Nullable List<Exclusion> exclusions) {
    List<Window> read = new ArrayList<>();
    List<Exclusion> all = orEmpty(exclusions);
    for (int i = 0; i < all.size(); i++) {
      exclusion("spec.exclusions[" + i + "]", all.get(i)).ifPresent(read::add);
    }
    return read;
  }

  private Optional<? extends Window> exclusion(String field, Exclusion exclusion) {
    String from = exclusion.from();
    String to = exclusion.to();
    String schedule = exclusion.schedule();
    String duration = exclusion.duration();
    if (schedule != null && duration != null && from == null && to == null) {
      return recurring(field, schedule, duration, exclusion.timeZone());
    }
    if (schedule != null || duration != null || from == null || to == null) {
      mistakes.add(new SpecMistake(field, "needs either from and to, or schedule and duration"));
      return Optional.empty();
    }
    Optional<Instant> begin = read(field + ".from", () -> instant(from));
    Optional<Instant> end = read(field + ".to", () -> instant(to));
    if (begin.isEmpty() || end.isEmpty()) {
      return Optional.empty();
    }
    if (!begin.get().isBefore(end.get())) {
      mistakes.add(
          new SpecMistake(field + ".to", to + " does not lie after from, which is " + from));
      return Optional.empty();
    }
    return Optional.of(new Window.Once(begin.get(), end.get()));
  }

  private Optional<Window> recurring(
      String field, String schedule, String duration, @Nullable String timeZone) {
    Optional<Cron> cron = read(field + ".schedule", () -> Cron.parse(schedule));
    Optional<Duration> length = read(field + ".duration", () -> GoDuration.parse(duration));
    Optional<ZoneId> zone =
        read(field + ".timeZone", () -> zone(timeZone == null ? "UTC" : timeZone));
    return cron.flatMap(
        minutes ->
            length.flatMap(time -> zone.map(where -> new Window.Recurring(minutes, where, time))));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is not a time zone; write a name like Europe/Berlin, or UTC", e);
    }
  }

  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a moment; write it like 2026-12-24T00:00:00Z", e);
    }
  }

  private Optional<Batches.Canary> canary(MaintenanceCampaignSpec.@Nullable Canary canary) {
    if (canary == null) {
      return Optional.empty();
    }
    Integer nodes = canary.nodes();
    Integer percent = canary.percent();
    if ((nodes == null) == (percent == null)) {
      mistakes.add(new SpecMistake("spec.canary", "needs exactly one of nodes and percent"));
    }
    Optional<Integer> count = atLeastOne("spec.canary.nodes", nodes);
    Optional<Integer> share = atLeastOne("spec.canary.percent", percent);
    if (share.orElse(1) > 100) {
      mistakes.add(new SpecMistake("spec.canary.percent", share.get() + " is more than 100"));
    }
    int soak = canary.soakSeconds() == null ? 0 : canary.soakSeconds();
    if (soak < 0) {
      mistakes.add(new SpecMistake("spec.canary.soakSeconds", soak + " is less than 0"));
    }
    return Optional.of(
        new Batches.Canary(
            count.or(() -> share).orElse(1), percent != null, Duration.ofSeconds(soak)));
  }

  private Optional<Batches.Growth> growth(MaintenanceCampaignSpec.@Nullable Batches batches) {
    if (batches == null) {
      return Optional.empty();
    }
    int start = atLeastOne("spec.batches.start", batches.start()).orElse(1);
    int most = atLeastOne("spec.batches.max", batches.max()).orElse(Limits.MOST_NODES);
    double factor = batches.growth() == null ? 2 : batches.growth();
    if (!(factor >= 1)) {
      mistakes.add(
          new SpecMistake(
              "spec.batches.growth",
              factor + " would make batches shrink until none is left; write at least 1"));
    }
    if (most < start) {
      mistakes.add(
          new SpecMistake("spec.batches.max", most + " is less than spec.batches.start, " + start));
    }
    return Optional.of(new Batches.Growth(start, factor, most));
  }

  private Deferral deferral(@Nullable String text) {
    return new Deferral(
        Optional.ofNullable(text)
            .flatMap(time -> read("spec.patience", () -> GoDuration.parse(time)))
            .orElse(Deferral.DEFAULT));
  }

  private Optional<Integer> atLeastOne(String field, @Nullable Integer value) {
    if (value != null && value < 1) {
      mistakes.add(new SpecMistake(field, value + " is less than 1"));
    }
    return Optional.ofNullable(value).map(given -> Math.min(given, Limits.MOST_NODES));
  }

  private void check(String field, Runnable check) {
    read(
        field,
        () -> {
          check.run();
          return field;
        });
  }

  private <T> Optional<T> read(String field, Supplier<T> value) {
    try {
      return Optional.of(value.get());
    } catch (IllegalArgumentException e) {
      mistakes.add(new SpecMistake(field, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
