package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Approval;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Canary;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Exclusion;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.NodeSelector;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Requirement;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Window;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A campaign's spec, written as shortly as a test allows. Starts as: all nodes, no limits. */
final class TestSpec {
  private NodeSelector selector = new NodeSelector(Map.of(), null);
  private @Nullable String id;

  /** For tests that are not about budgets. */
  private static final DomainBudget ANY_NUMBER = new DomainBudget(null, "100%");

  private boolean withoutBudgets;
  private final List<DomainBudget> budgets = new ArrayList<>();
  private final List<Window> windows = new ArrayList<>();
  private final List<Exclusion> exclusions = new ArrayList<>();
  private @Nullable Approval approval;
  private @Nullable Canary canary;
  private MaintenanceCampaignSpec.@Nullable Batches batches;
  private @Nullable Integer stopOnFailures;
  private @Nullable Boolean paused;
  private @Nullable Boolean stopped;
  private @Nullable Integer priority;
  private @Nullable CampaignOrder order = CampaignOrder.NAME;

  private @Nullable String patience;

  static TestSpec spec() {
    return new TestSpec();
  }

  /** A class whose steps do not matter. */
  static MaintenanceClassSpec anyClass(DomainBudget... budgets) {
    MaintenanceClassSpec.Outside outside = new MaintenanceClassSpec.Outside();
    return new MaintenanceClassSpec(
        new MaintenanceClassSpec.Drain(null, null, null, null, outside),
        new MaintenanceClassSpec.Work(null, outside),
        new MaintenanceClassSpec.Validation(null, null, null, null, outside),
        null,
        null,
        List.of(budgets));
  }

  TestSpec on(String label, String value) {
    selector = new NodeSelector(Map.of(label, value), null);
    return this;
  }

  TestSpec on(Requirement... requirements) {
    selector = new NodeSelector(null, List.of(requirements));
    return this;
  }

  TestSpec id(String value) {
    id = value;
    return this;
  }

  TestSpec budget(@Nullable String key, String maxUnavailable) {
    budgets.add(new DomainBudget(key, maxUnavailable));
    return this;
  }

  TestSpec window(String schedule, String duration, @Nullable String timeZone) {
    windows.add(new Window(schedule, duration, timeZone));
    return this;
  }

  TestSpec exclude(@Nullable String from, @Nullable String to) {
    exclusions.add(new Exclusion(from, to, null, null, null));
    return this;
  }

  TestSpec exclude(String schedule, String duration, @Nullable String timeZone) {
    exclusions.add(new Exclusion(null, null, schedule, duration, timeZone));
    return this;
  }

  TestSpec approval() {
    approval = new Approval(true);
    return this;
  }

  TestSpec canary(@Nullable Integer nodes, @Nullable Integer percent, int soakSeconds) {
    canary = new Canary(nodes, percent, soakSeconds);
    return this;
  }

  TestSpec batches(@Nullable Integer start, @Nullable Double growth, @Nullable Integer max) {
    batches = new MaintenanceCampaignSpec.Batches(start, growth, max);
    return this;
  }

  TestSpec stopOnFailures(int value) {
    stopOnFailures = value;
    return this;
  }

  TestSpec paused() {
    paused = true;
    return this;
  }

  TestSpec stopped() {
    stopped = true;
    return this;
  }

  TestSpec priority(int value) {
    priority = value;
    return this;
  }

  TestSpec order(@Nullable CampaignOrder value) {
    order = value;
    return this;
  }

  TestSpec patience(String value) {
    patience = value;
    return this;
  }

  TestSpec withoutBudgets() {
    withoutBudgets = true;
    return this;
  }

  MaintenanceCampaignSpec build() {
    return new MaintenanceCampaignSpec(
        selector,
        "any",
        id,
        null,
        budgets.isEmpty() && !withoutBudgets ? List.of(ANY_NUMBER) : budgets,
        windows,
        exclusions,
        approval,
        canary,
        batches,
        stopOnFailures,
        paused,
        stopped,
        null,
        priority,
        order,
        patience);
  }
}
