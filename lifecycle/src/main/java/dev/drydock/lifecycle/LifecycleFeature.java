package dev.drydock.lifecycle;

import dev.drydock.contracts.lifecycle.LifecycleEvent;
import dev.drydock.contracts.lifecycle.LifecycleTransition;
import dev.drydock.kube.Resource;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.command.LifecycleAgentOptions;
import dev.drydock.lifecycle.unclaimed.UnclaimedEventController;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Transitions of nodes: the driver and the claimer on the node, and events that no agent claims.
 */
public final class LifecycleFeature implements Feature {
  public static final Setting<Duration> UNCLAIMED_AFTER =
      Setting.of(
          "lifecycle.unclaimedAfter",
          SettingKind.DURATION,
          "5m",
          "How long a LifecycleEvent may stay unclaimed before it is set to Failed.");

  @Override
  public String part() {
    return "lifecycle";
  }

  @Override
  public String summary() {
    return "fails LifecycleEvents that no agent claims";
  }

  @Override
  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of(LifecycleTransition.class, LifecycleEvent.class);
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(UNCLAIMED_AFTER);
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {
      @Override
      public AutoCloseable lead(LeaderTerm term) {
        UnclaimedEventController controller =
            new UnclaimedEventController(context.kube(), context.settings().get(UNCLAIMED_AFTER));
        controller.start();
        return controller;
      }
    };
  }

  @Override
  public Optional<AgentRole> agent() {
    return Optional.of(new LifecycleAgentOptions());
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    return reader
        .list(
            "Nodes",
            Resource.NODES.named(reader.node()),
            node -> TransitionHistory.read(LifecycleNodeObject.read(node).history()).entries())
        .stream()
        .map(LifecycleFeature::historyPart)
        .toList();
  }

  /** The Node remembers its LifecycleEvents for longer than the cluster keeps its Events. */
  public static HistoryPart historyPart(List<TransitionHistory.Entry> entries) {
    return new HistoryPart(
        HistoryPart.Scope.NODE,
        "",
        entries.stream()
            .map(
                entry ->
                    HistoryStep.of(
                        entry.ended(),
                        "node",
                        "LifecycleEvent" + entry.outcome(),
                        entry.event() + ": " + entry.message()))
            .toList());
  }
}
