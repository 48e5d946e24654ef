package dev.drydock.drain;

import static java.util.Map.entry;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.command.DrainRequestHistory;
import dev.drydock.drain.command.DrainRequestStatusEntry;
import dev.drydock.drain.command.HeldNodeHistory;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.DrainEvents;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldController;
import dev.drydock.drain.hold.decide.DrainState;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.DrainRequestObject;
import dev.drydock.drain.request.decide.DrainRequestReport;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryPhase;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HoldOwner;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Drains that are asked for by DrainRequests, and holds on nodes. */
public final class DrainFeature implements Feature {
  public static final Setting<ServedRequests> SERVE =
      Setting.of(
          "drainRequests.serve",
          SettingKind.word(ServedRequests.NAMED),
          "named",
          "Which DrainRequests the operator serves. named: those with drainer builtin. unclaimed: also those without a drainer that no other drainer has claimed.");

  @Override
  public String part() {
    return "drain";
  }

  @Override
  public String summary() {
    return "drains nodes for DrainRequests, releases expired and orphaned holds";
  }

  @Override
  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of(DrainRequest.class);
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(SERVE);
  }

  @Override
  public List<HoldOwner> holdOwners() {
    return List.of(DrainRequestController.HOLD_OWNER);
  }

  @Override
  public boolean releasesHolds() {
    return true;
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {
      @Override
      public AutoCloseable lead(LeaderTerm term) {
        serve(
            LeaderEngine.of(context, term).engine(),
            context.settings().get(SERVE),
            context.holdOwners());
        return () -> {}; // ends with the engine
      }
    };
  }

  /** Starts to serve DrainRequests and to end holds of these owners, until the engine is closed. */
  public static void serve(DrainEngine engine, ServedRequests serves, List<HoldOwner> owners) {
    DrainRequestController.start(engine, serves);
    HoldController holds =
        new HoldController(engine.kube(), engine.holds(), engine.everyNode(), owners);
    engine.onClose(holds::close);
    holds.start();
  }

  @Override
  public List<StatusPart> status() {
    return List.of(
        new StatusPart(
            DrainRequest.KIND,
            StatusEntry.DRAIN,
            DrainRequestObject.RESOURCE.all(),
            DrainRequestStatusEntry::read));
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    Stream<HistoryPart> requests =
        reader.list("DrainRequests", DrainRequestObject.RESOURCE.all(), object -> object).stream()
            .flatMap(request -> DrainRequestHistory.of(reader.node(), request).stream());
    Stream<HistoryPart> node =
        reader.list("Nodes", Resource.NODES.named(reader.node()), DrainNodeObject::read).stream()
            .map(HeldNodeHistory::of);
    return Stream.concat(requests, node).toList();
  }

  @Override
  public Map<String, HistoryPhase> historyPhases() {
    return Map.ofEntries(
        entry(DrainEvents.Reason.HoldPlaced.name(), HistoryPhase.HELD),
        entry("NodeNotSchedulable", HistoryPhase.HELD),
        entry(DrainState.DrydockDraining.name(), HistoryPhase.DRAINING),
        entry(DrainState.DrydockDrained.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainState.DrydockDrainRefused.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainState.DrydockDrainFailed.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainState.DrydockDrainCancelled.name(), HistoryPhase.DRAIN_ENDED),
        entry("DrainRequested", HistoryPhase.DRAIN_REQUESTED),
        entry("DrainPlanned", HistoryPhase.DRAIN_PLANNED),
        entry(DrainRequestReport.Reason.Draining.name(), HistoryPhase.DRAINING),
        entry(DrainRequestReport.Reason.Blocked.name(), HistoryPhase.DRAINING),
        entry(DrainRequestReport.Reason.Refused.name(), HistoryPhase.DRAINING),
        entry(DrainRequestReport.Reason.NoPods.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainRequestReport.Reason.DrainComplete.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainRequestReport.Reason.DrainFailed.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainRequestReport.Reason.DrainCancelled.name(), HistoryPhase.DRAIN_ENDED),
        entry(DrainEvents.Reason.HoldReleased.name(), HistoryPhase.RELEASED),
        entry("NodeSchedulable", HistoryPhase.RELEASED));
  }
}
