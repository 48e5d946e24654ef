package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.UpdateType;
import dev.drydock.contracts.cxi.CXIDriverStatus;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
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

  /** Only there if it is false: admission refuses such specs, unless nobody was asked. */
  public static final String VALID = "Valid";

  /** A condition without its time. */
  public record Said(String type, boolean value, String reason, String message) {}

  /**
   * A component's DaemonSet.
   *
   * @param observed whether its controller has seen what was written last
   */
  public record Readiness(boolean observed, int desired, int ready, int updated) {
    /** Outdated driver agents are replaced by roll-outs, those of others by their DaemonSet. */
    boolean isComplete(CxiComponent component) {
      boolean current = component == CxiComponent.DRIVER_AGENT || updated >= desired;
      return observed && ready >= desired && current;
    }

    /** Also why there may be none: DaemonSets do not say in their status that pods are refused. */
    private String described(String namespace) {
      String counted = "%d of %d pods are ready".formatted(ready, desired);
      return observed && desired > 0 && ready == 0 && updated == 0
          ? "%1$s, and none was created; if the namespace refuses privileged pods (kubectl get events -n %2$s --field-selector reason=FailedCreate), run: kubectl label --overwrite namespace %2$s pod-security.kubernetes.io/enforce=privileged"
              .formatted(counted, namespace)
          : counted;
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
    DriverNodeCounts counts = DriverNodeCounts.of(input.spec(), input.nodes());
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
    conditions.add(available(input.spec(), counts, degraded));
    boolean waits =
        (degraded.isEmpty() && counts.ready() == 0 && counts.outdated() == 0 && counts.total() > 0)
            || input.components().entrySet().stream()
                .anyMatch(each -> !each.getValue().isComplete(each.getKey()));
    conditions.add(progressing(input, counts, waits));
    List<String> replaced = input.spec().update().replaced();
    if (replaced.isEmpty()) {
      absent.add(VALID);
    } else {
      conditions.add(new Said(VALID, false, "InvalidUpdateStrategy", String.join("; ", replaced)));
    }
    return new DriverStatusDecision(status(input, counts), conditions, absent);
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
    boolean complete = readiness.isComplete(component);
    return Optional.of(
        new Said(
            component.condition(),
            complete,
            complete ? "Ready" : "WaitingForPods",
            readiness.described(input.driver().namespace())));
  }

  private static Optional<Said> degraded(Input input, DriverNodeCounts counts) {
    if (input.failure().isPresent()) {
      Failure failure = input.failure().get();
      return Optional.of(
          new Said(DEGRADED, true, failure.component().failure(), failure.message()));
    }
    if (!counts.failed().isEmpty()) {
      String details =
          counts.failed().stream()
              .limit(3)
              .map(DriverStatusDecision::described)
              .collect(Collectors.joining("; "));
      boolean timeout =
          counts.failed().stream()
              .flatMap(node -> failure(node).stream())
              .anyMatch(each -> each.cause() == UpdateFailure.Cause.HealthCheckTimeout);
      return Optional.of(
          new Said(
              DEGRADED,
              true,
              timeout ? "HealthCheckTimeout" : "NodesFailed",
              "%d nodes failed: %s".formatted(counts.failed().size(), details)));
    }
    return wentBack(input, counts).map(why -> new Said(DEGRADED, true, "RolledBack", why));
  }

  /** Why a campaign was stopped; where users choose nodes, what became of the first of them. */
  private static Optional<String> wentBack(Input input, DriverNodeCounts counts) {
    if (input.spec().update().type() == UpdateType.OnDelete) {
      return input.nodes().stream()
          .filter(node -> node.maintenance().isEmpty())
          .filter(node -> node.wentBackFrom(input.spec().revision()))
          .min(Comparator.comparing(CxiNode::name))
          .map(
              node ->
                  "node %s went back from %s: %s"
                      .formatted(
                          node.name(),
                          input.spec().version(),
                          node.report().map(CxiNode::described).orElse("")));
    }
    return input
        .campaign()
        .filter(each -> each.outcome().equals(RolloutPlan.Outcome.ROLLED_BACK.text()))
        .filter(_ -> !counts.isDone())
        .map(RolloutPlan.Campaign::stopReason);
  }

  private static String described(CxiNode node) {
    return node.name()
        + ": "
        + failure(node)
            .map(UpdateFailure::message)
            .or(
                () ->
                    node.cutShort()
                        ? Optional.of("it was uncordoned before its update was validated")
                        : node.report().map(CxiNode::described))
            .orElse("its maintenance failed");
  }

  private static Optional<UpdateFailure> failure(CxiNode node) {
    return node.maintenance().flatMap(CxiNode.Maintenance::failure);
  }

  private static Said available(
      EffectiveSpec spec, DriverNodeCounts counts, Optional<Said> degraded) {
    if (degraded.isPresent()) {
      return new Said(AVAILABLE, false, degraded.get().reason(), degraded.get().message());
    }
    if (counts.ready() > 0) {
      return new Said(AVAILABLE, true, "Ready", counts.ready() + " nodes ready");
    }
    String why =
        counts.total() == 0
            ? noNodes(spec)
            : counts.outdated() > 0
                ? "no node has driver %s yet".formatted(spec.version())
                : "no node is ready yet";
    return new Said(AVAILABLE, false, "WaitingForPods", why);
  }

  private static String noNodes(EffectiveSpec spec) {
    return spec.nodeSelector().isEmpty()
        ? "the cluster has no nodes"
        : "no node has the labels of spec.nodeSelector";
  }

  private static Said progressing(Input input, DriverNodeCounts counts, boolean waits) {
    Optional<CampaignPhase> phase = input.campaign().flatMap(RolloutPlan.Campaign::phase);
    boolean rollingBack =
        input.nodes().stream()
            .flatMap(node -> node.maintenance().stream())
            .anyMatch(
                each ->
                    each.annotation(CxiNames.ROLLBACK_TO).isPresent()
                        && each.state().isInProgress());
    if (rollingBack) {
      return new Said(PROGRESSING, true, "RollingBack", updating(input, counts));
    }
    if (counts.updating() > 0) {
      return new Said(PROGRESSING, true, "Updating", updating(input, counts));
    }
    boolean unfinished = !counts.isDone();
    boolean onDelete = input.spec().update().type() == UpdateType.OnDelete;
    if (unfinished
        && input.spec().update().paused()
        && (onDelete || input.campaign().isPresent())) {
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
    return waits
        ? new Said(PROGRESSING, true, "Reconciling", "pods on the nodes are not ready yet")
        : new Said(PROGRESSING, false, "Deployed", deployed(input, counts));
  }

  private static String deployed(Input input, DriverNodeCounts counts) {
    if (counts.outdated() == 0) {
      return counts.total() == 0
          ? "everything is set up, and " + noNodes(input.spec())
          : "everything is set up";
    }
    String others = "%d nodes have another driver".formatted(counts.outdated());
    if (input.spec().update().type() == UpdateType.OnDelete) {
      return others + "; with OnDelete a node is updated when you delete its driver agent's pod";
    }
    return counts.skipped() == counts.outdated()
        ? others + ", as their label %s says".formatted(CxiNames.SKIP_UPDATE)
        : others
            + input.campaign().map(each -> "; campaign " + each.name() + " is over").orElse("");
  }

  /** How many, and how far the first of them are. */
  private static String updating(Input input, DriverNodeCounts counts) {
    String steps =
        input.nodes().stream()
            .sorted(Comparator.comparing(CxiNode::name))
            .flatMap(node -> step(node).stream())
            .limit(3)
            .collect(Collectors.joining("; "));
    return counts.updating() + " nodes are being updated" + (steps.isEmpty() ? "" : ": " + steps);
  }

  private static Optional<String> step(CxiNode node) {
    return node.maintenance()
        .filter(each -> each.state().isInProgress())
        .flatMap(node::reportOn)
        .flatMap(
            said ->
                switch (said.state()) {
                  case Installing, RollingBack -> Optional.ofNullable(said.step());
                  case RebootRequired -> Optional.of("waits for a reboot: " + said.error());
                  case Installed, Failed, RolledBack, RollbackFailed -> Optional.empty();
                })
        .map(text -> node.name() + ": " + text);
  }

  private static CXIDriverStatus status(Input input, DriverNodeCounts counts) {
    Set<String> versions =
        input.nodes().stream()
            .flatMap(node -> node.report().stream())
            .map(DriverReport::version)
            .filter(version -> version != null && !version.isEmpty())
            .collect(Collectors.toSet());
    String version =
        counts.isDone()
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
      Input input, RolloutPlan.Campaign campaign, DriverNodeCounts counts) {
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
        counts.failed().isEmpty() ? null : counts.failed().getFirst().name(),
        campaign.stopReason().isEmpty() ? null : campaign.stopReason());
  }
}
