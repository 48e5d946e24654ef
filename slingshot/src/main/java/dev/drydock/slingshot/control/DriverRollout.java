package dev.drydock.slingshot.control;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import dev.drydock.kube.Resource;
import dev.drydock.kube.StepObjects;
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
import dev.drydock.slingshot.decide.NodeRolloutStep.Verdict;
import dev.drydock.slingshot.decide.RolloutObjects;
import dev.drydock.slingshot.decide.RolloutPlan;
import dev.drydock.slingshot.decide.UpdateFailure;
import dev.drydock.slingshot.decide.UpdateProjection;
import dev.drydock.slingshot.resource.CxiResources;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
  private final StepObjects objects;
  private final Supplier<Optional<String>> stopped;

  /**
   * @param objects keeps a node that fails from stopping the others
   */
  DriverRollout(
      CxiCaches caches, CxiWriter writer, StepObjects objects, Supplier<Optional<String>> stopped) {
    this.caches = caches;
    this.writer = writer;
    this.objects = objects;
    this.stopped = stopped;
  }

  /** The nodes of the driver and its campaign, as they are after this step. */
  record Result(Collection<CxiNode> nodes, Optional<RolloutPlan.Campaign> campaign, Instant next) {}

  /**
   * The driver as one look sees it.
   *
   * @param template the hash of its agents' pods as they should be
   * @param ending whether it is being deleted: nothing new begins
   */
  record Wanted(
      ApiObject driver,
      DriverIdentity identity,
      EffectiveSpec spec,
      String template,
      boolean ending,
      Instant now) {
    String name() {
      return identity.name();
    }
  }

  /** One look at all nodes. */
  Result reconcile(Wanted wanted) {
    DriverIdentity identity = wanted.identity();
    RolloutSnapshot snapshot = RolloutSnapshot.of(caches, identity, wanted.spec());
    List<RolloutPlan.Campaign> campaigns = RolloutSnapshot.campaigns(caches, identity);
    RolloutPlan plan =
        wanted.ending()
            ? RolloutPlan.ending(campaigns)
            : RolloutPlan.of(
                identity,
                wanted.spec(),
                snapshot.nodes().values(),
                campaigns,
                RolloutSnapshot.classOf(caches, identity, wanted.spec().revision()));
    // what is refused about a new roll-out holds up no node that is out for an older one
    var _ =
        objects.run(
            "roll-out of CXIDriver " + wanted.name(),
            () -> carryOut(wanted, plan, snapshot.nodes().values()));
    List<Instant> next = new ArrayList<>(List.of(Instant.MAX));
    for (Known<NodeFacts> node : caches.nodes.all()) {
      CxiNode facts = snapshot.nodes().get(node.name());
      objects.run(
          "node " + node.name(),
          () -> {
            if (facts == null) {
              release(node, wanted.name());
            } else {
              mark(node, facts, wanted, plan);
              next.add(step(wanted, plan, facts, snapshot.maintenances().get(node.name())));
            }
          });
    }
    return new Result(
        snapshot.nodes().values(),
        RolloutSnapshot.campaigns(caches, identity).stream()
            .max(Comparator.comparingLong(RolloutPlan.Campaign::generation)),
        Collections.min(next));
  }

  private void carryOut(Wanted wanted, RolloutPlan plan, Collection<CxiNode> nodes) {
    String why =
        (wanted.ending() ? "CXIDriver %s is deleted" : "the spec of CXIDriver %s changed")
            .formatted(wanted.name());
    for (String old : plan.superseded()) {
      RolloutSnapshot.find(caches.campaigns, old)
          .ifPresent(campaign -> writer.stop(campaign, RolloutPlan.Outcome.SUPERSEDED.text(), why));
    }
    if (plan.current().isEmpty() || (plan.creates() && stopped.get().isPresent())) {
      return;
    }
    String name = plan.current().get();
    boolean over =
        RolloutSnapshot.find(caches.campaigns, name)
            .filter(each -> each.spec().path("stopped").asBoolean(false))
            .isPresent();
    if (over && !plan.classOnly()) {
      return;
    }
    RolloutObjects made =
        new RolloutObjects(madeFor(wanted.identity(), name), wanted.spec(), name, nodes);
    writer.apply(
        CxiResources.CLASSES,
        caches.classes,
        made.maintenanceClass(RolloutSnapshot.campaignsOf(caches, name)));
    if (!plan.classOnly()) {
      writer.apply(CxiResources.CAMPAIGNS, caches.campaigns, made.campaign());
    }
  }

  /** Class and campaign keep the generation that they were made for. */
  private DriverIdentity madeFor(DriverIdentity identity, String name) {
    return RolloutSnapshot.find(caches.campaigns, name)
        .or(() -> RolloutSnapshot.find(caches.classes, name))
        .map(RolloutSnapshot::generation)
        .filter(generation -> generation > 0)
        .map(
            generation ->
                new DriverIdentity(
                    identity.name(), identity.uid(), generation, identity.namespace()))
        .orElse(identity);
  }

  private void mark(Known<NodeFacts> node, CxiNode facts, Wanted wanted, RolloutPlan plan) {
    Optional<String> rollout = plan.of(facts, wanted.spec());
    Map<String, @Nullable String> labels = new LinkedHashMap<>();
    if (!wanted.ending() && !wanted.name().equals(facts.labels().get(CxiNames.DRIVER_LABEL))) {
      labels.put(CxiNames.DRIVER_LABEL, wanted.name());
    }
    if (!Objects.equals(facts.labels().get(CxiNames.ROLLOUT_LABEL), rollout.orElse(null))) {
      labels.put(CxiNames.ROLLOUT_LABEL, rollout.orElse(null));
    }
    writer.node(
        node, labels, UpdateProjection.changes(facts, wanted.spec(), rollout, wanted.now()));
  }

  /** A node that does not belong to the driver any more, or never did. */
  private void release(Known<NodeFacts> node, String driver) {
    if (driver.equals(node.facts().labels().get(CxiNames.DRIVER_LABEL))) {
      Map<String, @Nullable String> gone = new LinkedHashMap<>();
      gone.put(CxiNames.DRIVER_LABEL, null);
      gone.put(CxiNames.ROLLOUT_LABEL, null);
      // its agent is going, and nobody would keep them up to date
      node.facts().labels().keySet().stream()
          .filter(CxiNames::isOfDevices)
          .forEach(key -> gone.put(key, null));
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

  /** Releases all nodes and devices of a driver that is gone. */
  void release(String driver) {
    caches.nodes.all().forEach(node -> release(node, driver));
    caches.devices.all().forEach(device -> writer.delete(CxiResources.DEVICES, device));
  }

  /**
   * Removes the CXIDevices of nodes that are gone; driver agents remove those of their own node.
   */
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
      Wanted wanted, RolloutPlan plan, CxiNode node, @Nullable Known<MaintenanceNode> known) {
    Optional<CxiNode.Maintenance> maintenance = node.maintenance();
    if (wanted.ending() && maintenance.isEmpty()) {
      return Instant.MAX;
    }
    NodeRolloutStep step =
        new NodeRollout(
                wanted.spec(),
                wanted.template(),
                node,
                maintenance.flatMap(DriverRollout::baseline),
                maintenance.filter(each -> isStopped(each.campaign())).isPresent(),
                wanted.now())
            .next();
    if (stopped.get().isPresent() && step.begins()) {
      return Instant.MAX; // the release of the cord wakes the loop
    }
    switch (step) {
      case NodeRolloutStep.Wait(Optional<Instant> until) -> {
        return until.orElse(Instant.MAX);
      }
      case NodeRolloutStep.CreateMaintenance() -> {
        plan.current()
            .ifPresent(
                name ->
                    writer.createMaintenance(
                        new RolloutObjects(wanted.identity(), wanted.spec(), name, List.of())
                            .maintenance(node.name())));
        // the watch shows it, and wakes the loop: until then it would be created again
        return Instant.MAX;
      }
      case NodeRolloutStep.ReplaceAgent(String uid) -> replaceAgent(uid);
      case NodeRolloutStep.BeginWork(NodeBaseline baseline) -> {
        Map<String, @Nullable String> annotations = kept(baseline);
        annotations.put(MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.IN_PROGRESS);
        writer.maintenance(known(known), annotations);
      }
      case NodeRolloutStep.Remember(NodeBaseline baseline) ->
          writer.maintenance(known(known), kept(baseline));
      case NodeRolloutStep.RollBack(String version, UpdateFailure failure) -> {
        LOG.warn("node {}: back to driver {}: {}", node.name(), version, failure.message());
        Map<String, @Nullable String> annotations = kept(failure);
        annotations.put(CxiNames.ROLLBACK_TO, version);
        writer.maintenance(known(known), annotations);
        writer.event(
            wanted.driver(), true, "NodeUpdateFailed", node.name() + ": " + failure.message());
      }
      case NodeRolloutStep.StopRollout(String reason) ->
          campaign(maintenance.orElseThrow().campaign())
              .ifPresent(
                  campaign ->
                      writer.stop(campaign, RolloutPlan.Outcome.ROLLED_BACK.text(), reason));
      case NodeRolloutStep.Answer answer -> answer(wanted.driver(), node, known(known), answer);
    }
    // one step at a time: the next one follows from what it changed
    return wanted.now();
  }

  private static Known<MaintenanceNode> known(@Nullable Known<MaintenanceNode> maintenance) {
    return Objects.requireNonNull(maintenance, "a step of a maintenance without one");
  }

  private static Map<String, @Nullable String> kept(NodeBaseline baseline) {
    Map<String, @Nullable String> annotations = new HashMap<>();
    annotations.put(CxiNames.BEFORE, Typed.tree(baseline.tree()).toString());
    return annotations;
  }

  private static Map<String, @Nullable String> kept(UpdateFailure failure) {
    Map<String, @Nullable String> annotations = new HashMap<>();
    annotations.put(CxiNames.FAILURE, failure.message());
    annotations.put(CxiNames.FAILURE_CAUSE, failure.cause().name());
    return annotations;
  }

  private Optional<ApiObject> campaign(String uid) {
    return caches.campaigns.all().stream().filter(each -> each.uid().equals(uid)).findFirst();
  }

  /** One that is gone lets no further node leave either. */
  private boolean isStopped(String campaign) {
    return campaign(campaign)
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
    Map<String, @Nullable String> annotations =
        answer.verdict() instanceof Verdict.Failed(UpdateFailure failure)
            ? kept(failure)
            : new HashMap<>();
    annotations.put(answer.annotation(), answer.value());
    writer.maintenance(maintenance, annotations);
    String note = node.name() + ": " + answer.verdict().message();
    LOG.info("{}={}: {}", answer.annotation(), answer.value(), note);
    boolean last =
        node.maintenance().filter(each -> each.state() == MaintenanceState.VALIDATING).isPresent();
    switch (answer.verdict()) {
      case Verdict.Updated _ -> writer.event(driver, false, "NodeUpdated", note);
      case Verdict.RolledBack(String message) -> {
        if (last) {
          writer.event(driver, true, "RolledBack", message);
        }
      }
      case Verdict.Failed _ -> writer.event(driver, true, "NodeUpdateFailed", note);
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
