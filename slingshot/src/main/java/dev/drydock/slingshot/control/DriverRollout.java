package dev.drydock.slingshot.control;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.slingshot.control.NodeParts.AgentFacts;
import dev.drydock.slingshot.control.NodeParts.Known;
import dev.drydock.slingshot.control.NodeParts.MaintenanceNode;
import dev.drydock.slingshot.control.NodeParts.NodeFacts;
import dev.drydock.slingshot.decide.CxiNode;
import dev.drydock.slingshot.decide.DriverIdentity;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.NodeBaseline;
import dev.drydock.slingshot.decide.NodeRollout;
import dev.drydock.slingshot.decide.NodeRolloutStep;
import dev.drydock.slingshot.decide.RolloutObjects;
import dev.drydock.slingshot.decide.RolloutPlan;
import dev.drydock.slingshot.decide.UpdateProjection;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls a driver out as the outside client of one MaintenanceClass and one MaintenanceCampaign:
 * these take nodes out of service and return them; here it is only seen to that the driver agents
 * do their work and that it was good.
 */
final class DriverRollout {
  private static final Logger LOG = LoggerFactory.getLogger(DriverRollout.class);

  private final CxiCaches caches;
  private final CxiWriter writer;
  private final Supplier<Optional<String>> stopped;

  DriverRollout(CxiCaches caches, CxiWriter writer, Supplier<Optional<String>> stopped) {
    this.caches = caches;
    this.writer = writer;
    this.stopped = stopped;
  }

  /** The nodes of the driver and its campaign, as they are after this step. */
  record Result(Collection<CxiNode> nodes, Optional<RolloutPlan.Campaign> campaign, Instant next) {}

  /** Out of service for a roll-out, and not given up. */
  static boolean isOut(CxiNode node) {
    return node.maintenance()
        .filter(each -> each.state().isInProgress() || each.deleted())
        .isPresent();
  }

  /**
   * One look at all nodes.
   *
   * @param ending whether the driver is being deleted: nothing new begins
   */
  Result reconcile(
      ApiObject driver,
      DriverIdentity identity,
      EffectiveSpec spec,
      String template,
      boolean ending,
      Instant now) {
    Map<String, Known<MaintenanceNode>> maintenances = maintenances(driver.name());
    Map<String, CxiNode> nodes = nodes(spec, driver.name(), maintenances);
    List<RolloutPlan.Campaign> campaigns = campaigns(driver.name());
    RolloutPlan plan =
        ending
            ? new RolloutPlan(
                Optional.empty(),
                false,
                false,
                campaigns.stream()
                    .filter(each -> !each.stopped())
                    .map(RolloutPlan.Campaign::name)
                    .toList())
            : RolloutPlan.of(identity, spec, nodes.values(), campaigns);
    carryOut(identity, spec, plan, ending);
    Instant next = Instant.MAX;
    for (Known<NodeFacts> node : caches.nodes.all()) {
      CxiNode facts = nodes.get(node.name());
      if (facts == null) {
        release(node, driver.name());
      } else {
        mark(node, facts, driver.name(), spec, plan, now, ending);
        next =
            earlier(next, step(driver, identity, spec, template, facts, maintenances, ending, now));
      }
    }
    return new Result(nodes.values(), newest(campaigns(driver.name())), next);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Optional<RolloutPlan.Campaign> newest(List<RolloutPlan.Campaign> all) {
    return all.stream().max(Comparator.comparingLong(RolloutPlan.Campaign::generation));
  }

  private void carryOut(
      DriverIdentity identity, EffectiveSpec spec, RolloutPlan plan, boolean ending) {
    for (String old : plan.superseded()) {
      find(caches.campaigns.all(), old)
          .ifPresent(
              campaign ->
                  writer.stop(
                      campaign,
                      RolloutPlan.Outcome.SUPERSEDED.text(),
                      ending
                          ? "CXIDriver %s is deleted".formatted(identity.name())
                          : "the spec of CXIDriver %s changed".formatted(identity.name())));
    }
    if (plan.current().isEmpty() || (plan.creates() && stopped.get().isPresent())) {
      return;
    }
    RolloutObjects objects = new RolloutObjects(made(identity, plan), spec, plan.current().get());
    boolean over =
        find(caches.campaigns.all(), plan.current().get())
            .filter(each -> each.spec().path("stopped").asBoolean(false))
            .isPresent();
    if (over) {
      return;
    }
    writer.apply(CxiResources.CLASSES, caches.classes, objects.maintenanceClass());
    if (!plan.classOnly()) {
      writer.apply(CxiResources.CAMPAIGNS, caches.campaigns, objects.campaign());
    }
  }

  /** A campaign keeps the generation that it was made for. */
  private DriverIdentity made(DriverIdentity identity, RolloutPlan plan) {
    return find(caches.campaigns.all(), plan.current().orElse(""))
        .map(each -> each.annotations().getOrDefault(CxiNames.GENERATION, ""))
        .filter(text -> text.matches("\\d{1,18}"))
        .map(
            text ->
                new DriverIdentity(
                    identity.name(), identity.uid(), Long.parseLong(text), identity.namespace()))
        .orElse(identity);
  }

  private static Optional<ApiObject> find(List<ApiObject> all, String name) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private List<RolloutPlan.Campaign> campaigns(String driver) {
    return caches.campaigns.all().stream()
        .filter(each -> driver.equals(each.labels().get(CxiNames.INSTANCE)))
        .filter(each -> !each.deleted())
        .map(DriverRollout::campaign)
        .toList();
  }

  private static RolloutPlan.Campaign campaign(ApiObject campaign) {
    String generation = campaign.annotations().getOrDefault(CxiNames.GENERATION, "");
    String phase = Fields.text(campaign.status(), "phase");
    return new RolloutPlan.Campaign(
        campaign.name(),
        generation.matches("\\d{1,18}") ? Long.parseLong(generation) : 0,
        campaign.labels().getOrDefault(CxiNames.REVISION_LABEL, ""),
        Arrays.stream(CampaignPhase.values()).filter(each -> each.name().equals(phase)).findFirst(),
        campaign.spec().path("stopped").asBoolean(false),
        campaign.annotations().getOrDefault(CxiNames.OUTCOME, ""),
        Fields.text(campaign.spec(), "stopReason"),
        campaign.annotations().getOrDefault(CxiNames.HASH, ""));
  }

  /** Those of the driver's classes, by node; of several the one that has begun. */
  private Map<String, Known<MaintenanceNode>> maintenances(String driver) {
    Set<String> classes = new HashSet<>();
    caches.classes.all().stream()
        .filter(each -> driver.equals(each.labels().get(CxiNames.INSTANCE)))
        .forEach(each -> classes.add(each.name()));
    Map<String, Known<MaintenanceNode>> byNode = new HashMap<>();
    for (Known<MaintenanceNode> each : caches.maintenances.all()) {
      if (classes.contains(each.facts().maintenance().maintenanceClass())) {
        byNode.merge(
            each.facts().node(),
            each,
            (one, other) -> one.facts().maintenance().state().hasBegun() ? one : other);
      }
    }
    return byNode;
  }

  private Map<String, CxiNode> nodes(
      EffectiveSpec spec, String driver, Map<String, Known<MaintenanceNode>> maintenances) {
    Map<String, Map<String, CxiNode.Device>> devices = new HashMap<>();
    caches
        .devices
        .all()
        .forEach(
            each ->
                devices
                    .computeIfAbsent(each.facts().node(), _ -> new TreeMap<>())
                    .put(each.facts().device(), each.facts().state()));
    Map<String, CxiNode.Agent> agents = new HashMap<>();
    for (Known<AgentFacts> each : caches.agents.all()) {
      if (!each.facts().deleted() && each.facts().driver().equals(driver)) {
        agents.put(each.facts().node(), each.facts().agent());
      }
    }
    Map<String, CxiNode> nodes = new TreeMap<>();
    for (Known<NodeFacts> each : caches.nodes.all()) {
      NodeFacts facts = each.facts();
      CxiNode node =
          new CxiNode(
              each.name(),
              facts.labels(),
              facts.annotations(),
              facts.ready(),
              facts.allocatable(),
              facts.report(),
              devices.getOrDefault(each.name(), Map.of()),
              Optional.ofNullable(agents.get(each.name())),
              Optional.ofNullable(maintenances.get(each.name()))
                  .map(known -> known.facts().maintenance()));
      boolean matches = node.matches(spec.nodeSelector());
      // one that has left finishes, whatever the selector says now
      if (matches || (isOut(node) && driver.equals(facts.labels().get(CxiNames.DRIVER_LABEL)))) {
        nodes.put(each.name(), node);
      }
    }
    return nodes;
  }

  private void mark(
      Known<NodeFacts> node,
      CxiNode facts,
      String driver,
      EffectiveSpec spec,
      RolloutPlan plan,
      Instant now,
      boolean ending) {
    Optional<String> rollout = plan.of(facts, spec);
    Map<String, @Nullable String> labels = new LinkedHashMap<>();
    if (!ending && !driver.equals(facts.labels().get(CxiNames.DRIVER_LABEL))) {
      labels.put(CxiNames.DRIVER_LABEL, driver);
    }
    if (!Objects.equals(facts.labels().get(CxiNames.ROLLOUT_LABEL), rollout.orElse(null))) {
      labels.put(CxiNames.ROLLOUT_LABEL, rollout.orElse(null));
    }
    writer.node(node, labels, UpdateProjection.changes(facts, spec, rollout, now));
  }

  /** A node that does not belong to the driver any more, or never did. */
  private void release(Known<NodeFacts> node, String driver) {
    if (driver.equals(node.facts().labels().get(CxiNames.DRIVER_LABEL))) {
      Map<String, @Nullable String> gone = new LinkedHashMap<>();
      gone.put(CxiNames.DRIVER_LABEL, null);
      gone.put(CxiNames.ROLLOUT_LABEL, null);
      Map<String, @Nullable String> annotations = new LinkedHashMap<>();
      for (String each :
          List.of(CxiNames.UPDATE_STATE, CxiNames.UPDATE_STARTED_AT, CxiNames.UPDATE_ERROR)) {
        if (node.facts().annotations().containsKey(each)) {
          annotations.put(each, null);
        }
      }
      writer.node(node, gone, annotations);
    }
  }

  /** All nodes and devices of a driver that is gone. */
  void release(String driver) {
    caches.nodes.all().forEach(node -> release(node, driver));
    caches.devices.all().forEach(device -> writer.delete(CxiResources.DEVICES, device));
  }

  /** Of nodes that are gone; the driver agents see to those of their own node. */
  void removeOrphans() {
    Set<String> names = new HashSet<>();
    caches.nodes.all().forEach(node -> names.add(node.name()));
    for (Known<NodeParts.DeviceFacts> device : caches.devices.all()) {
      if (!device.facts().node().isEmpty() && !names.contains(device.facts().node())) {
        writer.delete(CxiResources.DEVICES, device);
        caches.devices.gone(device);
      }
    }
  }

  private Instant step(
      ApiObject driver,
      DriverIdentity identity,
      EffectiveSpec spec,
      String template,
      CxiNode node,
      Map<String, Known<MaintenanceNode>> maintenances,
      boolean ending,
      Instant now) {
    Optional<CxiNode.Maintenance> maintenance = node.maintenance();
    if (ending && maintenance.isEmpty()) {
      return Instant.MAX;
    }
    NodeRolloutStep step =
        new NodeRollout(
                spec,
                template,
                node,
                maintenance.flatMap(DriverRollout::baseline),
                maintenance.filter(each -> isStopped(each.campaign())).isPresent(),
                now)
            .next();
    if (stopped.get().isPresent() && begins(step)) {
      return Instant.MAX; // the release of the cord wakes the loop
    }
    Known<MaintenanceNode> known = maintenances.get(node.name());
    switch (step) {
      case NodeRolloutStep.Wait(Optional<Instant> until) -> {
        return until.orElse(Instant.MAX);
      }
      case NodeRolloutStep.ReplaceAgent(String uid) -> replaceAgent(uid);
      case NodeRolloutStep.Remember(NodeBaseline baseline) -> {
        Map<String, @Nullable String> annotation = new HashMap<>();
        annotation.put(CxiNames.BEFORE, Typed.tree(baseline.tree()).toString());
        writer.maintenance(known(known), annotation);
      }
      case NodeRolloutStep.RollBack(String version, String reason) -> {
        LOG.warn("node {}: back to driver {}: {}", node.name(), version, reason);
        Map<String, @Nullable String> annotations = new HashMap<>();
        annotations.put(CxiNames.ROLLBACK_TO, version);
        annotations.put(CxiNames.FAILURE, reason);
        writer.maintenance(known(known), annotations);
        writer.event(driver, true, "NodeUpdateFailed", node.name() + ": " + reason);
      }
      case NodeRolloutStep.StopRollout(String reason) ->
          find(caches.campaigns.all(), maintenance.orElseThrow().campaign())
              .ifPresent(
                  campaign ->
                      writer.stop(campaign, RolloutPlan.Outcome.ROLLED_BACK.text(), reason));
      case NodeRolloutStep.Answer answer -> answer(driver, node, known(known), answer);
      case NodeRolloutStep.CreateMaintenance() ->
          writer.createMaintenance(
              new RolloutObjects(
                      identity, spec, RolloutObjects.name(identity.name(), identity.generation()))
                  .maintenance(node.name()));
    }
    // one step at a time: the next one follows from what it changed
    return now;
  }

  private static Known<MaintenanceNode> known(@Nullable Known<MaintenanceNode> maintenance) {
    return Objects.requireNonNull(maintenance, "a step of a maintenance without one");
  }

  /** What the andon cord keeps from happening; to judge and to go back is always allowed. */
  private static boolean begins(NodeRolloutStep step) {
    return step instanceof NodeRolloutStep.ReplaceAgent
        || step instanceof NodeRolloutStep.CreateMaintenance;
  }

  private boolean isStopped(String campaign) {
    return find(caches.campaigns.all(), campaign)
        .map(each -> each.spec().path("stopped").asBoolean(false))
        .orElse(true);
  }

  private void replaceAgent(String uid) {
    for (Known<AgentFacts> pod : caches.agents.all()) {
      if (pod.uid().equals(uid)) {
        writer.delete(Resource.PODS, pod);
        caches.agents.gone(pod);
      }
    }
  }

  private void answer(
      ApiObject driver,
      CxiNode node,
      Known<MaintenanceNode> maintenance,
      NodeRolloutStep.Answer answer) {
    Map<String, @Nullable String> annotation = new HashMap<>();
    annotation.put(answer.annotation(), answer.value());
    if (answer.verdict() == NodeRolloutStep.Verdict.FAILED) {
      annotation.put(CxiNames.FAILURE, answer.reason());
    }
    writer.maintenance(maintenance, annotation);
    String note = node.name() + ": " + answer.reason();
    LOG.info("{}={}: {}", answer.annotation(), answer.value(), note);
    switch (answer.verdict()) {
      case UPDATED -> writer.event(driver, false, "NodeUpdated", note);
      case ROLLED_BACK -> {
        if (node.maintenance()
            .filter(each -> each.state() == MaintenanceState.VALIDATING)
            .isPresent()) {
          writer.event(driver, true, "RolledBack", answer.reason());
        }
      }
      case FAILED -> writer.event(driver, true, "NodeUpdateFailed", note);
    }
  }

  private static Optional<NodeBaseline> baseline(CxiNode.Maintenance maintenance) {
    String text = maintenance.annotations().get(CxiNames.BEFORE);
    if (text == null) {
      return Optional.empty();
    }
    try {
      @SuppressWarnings("unchecked")
      Map<String, Object> tree = Typed.read(Json.read(text), Map.class);
      return Optional.of(NodeBaseline.read(tree));
    } catch (IOException | IllegalStateException | DateTimeException malformed) {
      LOG.warn(
          "{}: {} is remembered anew: {}",
          maintenance.name(),
          CxiNames.BEFORE,
          malformed.getMessage());
      return Optional.empty();
    }
  }
}
