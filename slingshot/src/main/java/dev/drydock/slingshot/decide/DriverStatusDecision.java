package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverStatus;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The status of a CXIDriver: numbers from the nodes, conditions from what really runs and from the
 * campaign.
 *
 * @param status everything but the conditions
 * @param conditions that have to be there
 * @param absent types of conditions of ours that must not be there
 */
public record DriverStatusDecision(
    CXIDriverStatus status, List<Said> conditions, Set<String> absent) {
  public static final String AVAILABLE = "Available";
  public static final String PROGRESSING = "Progressing";
  public static final String DEGRADED = "Degraded";

  /** A condition without its time. */
  public record Said(String type, boolean value, String reason, String message) {}

  /**
   * A component's DaemonSet.
   *
   * @param observed whether its controller has seen what was written last
   */
  public record Readiness(boolean observed, int desired, int ready, int updated) {
    boolean isComplete(boolean rollsByItself) {
      return observed && ready >= desired && (!rollsByItself || updated >= desired);
    }
  }

  /** What the status follows from. */
  public record Input(
      DriverIdentity driver,
      EffectiveSpec spec,
      Collection<CxiNode> nodes,
      Optional<RolloutPlan.Campaign> campaign,
      Map<CxiComponent, Readiness> components,
      Optional<Failure> failure,
      boolean webhookReady,
      String versionBefore) {}

  /** A component that could not be set up. */
  public record Failure(CxiComponent component, String message) {}

  /** One that another keeps from being active. */
  public static DriverStatusDecision ignored(long generation, String active) {
    String message =
        "CXIDriver \"%s\" is active, and only one can be; delete that one to activate this one"
            .formatted(active);
    return new DriverStatusDecision(
        new CXIDriverStatus(generation, 0, 0, 0, null, null, null, null, null),
        List.of(
            new Said(AVAILABLE, false, "Ignored", message),
            new Said(DEGRADED, true, "AnotherCXIDriverActive", message)),
        Set.of(PROGRESSING));
  }

  public static DriverStatusDecision of(Input input) {
    Counts counts = Counts.of(input);
    List<Said> conditions = new ArrayList<>();
    Set<String> absent = new HashSet<>();
    for (CxiComponent component : CxiComponent.values()) {
      Optional<Said> said = component(input, component);
      said.ifPresent(conditions::add);
      if (said.isEmpty()) {
        absent.add(component.condition());
      }
    }
    Optional<Said> degraded = degraded(input, counts);
    degraded.ifPresentOrElse(conditions::add, () -> absent.add(DEGRADED));
    conditions.add(available(counts, degraded));
    conditions.add(progressing(input, counts, conditions));
    return new DriverStatusDecision(status(input, counts), conditions, absent);
  }

  /** Numbers of nodes. */
  private record Counts(int total, int ready, int updating, List<String> failed) {
    static Counts of(Input input) {
      int ready = 0;
      int updating = 0;
      List<String> failed = new ArrayList<>();
      for (CxiNode node : input.nodes()) {
        Optional<MaintenanceState> state = node.maintenance().map(CxiNode.Maintenance::state);
        if (state.filter(MaintenanceState.INCOMPLETE::equals).isPresent() || brokenAtFirst(node)) {
          failed.add(node.name());
        } else if (state.filter(MaintenanceState::isInProgress).isPresent()) {
          updating++;
        } else if (node.isAt(input.spec().revision()) && node.ready()) {
          ready++;
        }
      }
      failed.sort(null);
      return new Counts(input.nodes().size(), ready, updating, failed);
    }

    private static boolean brokenAtFirst(CxiNode node) {
      return node.maintenance().isEmpty()
          && node.report()
              .filter(report -> report.state() == DriverReport.State.Failed)
              .isPresent();
    }
  }

  private static Optional<Said> component(Input input, CxiComponent component) {
    Optional<Failure> failure = input.failure().filter(each -> each.component() == component);
    if (failure.isPresent()) {
      return Optional.of(new Said(component.condition(), false, "Failed", failure.get().message()));
    }
    Readiness readiness = input.components().get(component);
    if (readiness == null) {
      return Optional.empty();
    }
    boolean complete = readiness.isComplete(component != CxiComponent.DRIVER_AGENT);
    return Optional.of(
        new Said(
            component.condition(),
            complete,
            complete ? "Ready" : "WaitingForPods",
            "%d of %d pods are ready".formatted(readiness.ready(), readiness.desired())));
  }

  private static Optional<Said> degraded(Input input, Counts counts) {
    if (input.failure().isPresent()) {
      Failure failure = input.failure().get();
      return Optional.of(
          new Said(DEGRADED, true, failure.component().failure(), failure.message()));
    }
    if (!counts.failed().isEmpty()) {
      String details =
          input.nodes().stream()
              .filter(node -> counts.failed().contains(node.name()))
              .sorted(Comparator.comparing(CxiNode::name))
              .limit(3)
              .map(DriverStatusDecision::described)
              .collect(Collectors.joining("; "));
      boolean timeout = details.contains(NodeRollout.TIMEOUT);
      return Optional.of(
          new Said(
              DEGRADED,
              true,
              timeout ? "HealthCheckTimeout" : "NodesFailed",
              "%d nodes failed: %s".formatted(counts.failed().size(), details)));
    }
    return input
        .campaign()
        .filter(each -> each.outcome().equals(RolloutPlan.Outcome.ROLLED_BACK.text()))
        .filter(each -> counts.ready() < counts.total())
        .map(each -> new Said(DEGRADED, true, "RolledBack", each.stopReason()));
  }

  private static String described(CxiNode node) {
    return node.name()
        + ": "
        + node.maintenance()
            .flatMap(each -> each.annotation(CxiNames.FAILURE))
            .or(() -> node.report().map(CxiNode::described))
            .orElse("its maintenance failed");
  }

  private static Said available(Counts counts, Optional<Said> degraded) {
    if (degraded.isPresent()) {
      return new Said(AVAILABLE, false, degraded.get().reason(), degraded.get().message());
    }
    return counts.ready() > 0 || counts.total() == 0
        ? new Said(AVAILABLE, true, "Ready", counts.ready() + " nodes ready")
        : new Said(AVAILABLE, false, "WaitingForPods", "no node is ready yet");
  }

  private static Said progressing(Input input, Counts counts, List<Said> others) {
    Optional<CampaignPhase> phase = input.campaign().flatMap(RolloutPlan.Campaign::phase);
    boolean rollingBack =
        input.nodes().stream()
            .flatMap(node -> node.maintenance().stream())
            .anyMatch(
                each ->
                    each.annotation(CxiNames.ROLLBACK_TO).isPresent()
                        && each.state().isInProgress());
    if (rollingBack) {
      return new Said(
          PROGRESSING, true, "RollingBack", counts.updating() + " nodes are being updated");
    }
    if (counts.updating() > 0) {
      return new Said(
          PROGRESSING, true, "Updating", counts.updating() + " nodes are being updated");
    }
    boolean unfinished = counts.ready() < counts.total();
    if (unfinished && input.spec().update().paused() && input.campaign().isPresent()) {
      return new Said(PROGRESSING, false, "RolloutPaused", "spec.updateStrategy.paused is true");
    }
    if (unfinished && input.campaign().filter(each -> !each.isOver()).isPresent()) {
      return new Said(
          PROGRESSING,
          true,
          "Updating",
          "campaign %s is %s"
              .formatted(
                  input.campaign().get().name(),
                  phase.map(CampaignPhase::name).orElse("being set up")));
    }
    boolean waiting =
        others.stream().anyMatch(each -> !each.value() && each.reason().equals("WaitingForPods"));
    return waiting
        ? new Said(PROGRESSING, true, "Reconciling", "pods on the nodes are not ready yet")
        : new Said(PROGRESSING, false, "Deployed", "everything is set up");
  }

  private static CXIDriverStatus status(Input input, Counts counts) {
    Set<String> versions =
        input.nodes().stream()
            .flatMap(node -> node.report().stream())
            .map(DriverReport::version)
            .filter(version -> version != null && !version.isEmpty())
            .collect(Collectors.toSet());
    boolean done = counts.total() > 0 && counts.ready() == counts.total();
    String version =
        done
            ? input.spec().version()
            : versions.size() == 1 ? versions.iterator().next() : input.versionBefore();
    return new CXIDriverStatus(
        input.driver().generation(),
        counts.ready(),
        counts.updating(),
        counts.failed().size(),
        version == null || version.isEmpty() ? null : version,
        input.spec().retryHandler().mode().name(),
        input.webhookReady(),
        input.campaign().map(each -> rollout(input, each, counts)).orElse(null),
        null);
  }

  private static CXIDriverStatus.Rollout rollout(
      Input input, RolloutPlan.Campaign campaign, Counts counts) {
    boolean back = campaign.outcome().equals(RolloutPlan.Outcome.ROLLED_BACK.text());
    String phase =
        back
            ? RolloutPlan.Outcome.ROLLED_BACK.text()
            : campaign.stopped()
                ? "Stopped"
                : campaign
                    .phase()
                    .map(
                        each ->
                            switch (each) {
                              case Halted -> "Halted";
                              case Paused, AwaitingApproval -> "Paused";
                              case Completed -> "Completed";
                              case Stopped -> "Stopped";
                              case Invalid, Running, Waiting, Incomplete -> "Running";
                            })
                    .orElse("Running");
    return new CXIDriverStatus.Rollout(
        campaign.revision(),
        campaign.name(),
        input.spec().version(),
        phase,
        counts.failed().isEmpty() ? null : counts.failed().getFirst(),
        campaign.stopReason().isEmpty() ? null : campaign.stopReason());
  }
}
