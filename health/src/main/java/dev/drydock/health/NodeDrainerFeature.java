package dev.drydock.health;

import dev.drydock.health.drainer.NodeDrainView;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.operator.NodeDrainerOperator;
import dev.drydock.health.operator.NodeDrainerSettings;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryPhase;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.StatusPart;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Drains of nodes that health events have put into quarantine. */
public final class NodeDrainerFeature implements Feature {
  @Override
  public String part() {
    return "node-drainer";
  }

  /** It needs an event store. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "drains nodes that health events have put into quarantine, or lets others drain them";
  }

  @Override
  public List<Setting<?>> settings() {
    return Stream.concat(HealthSettings.STORE.stream(), NodeDrainerSettings.ALL.stream())
        .<Setting<?>>map(setting -> setting)
        .toList();
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new NodeDrainerOperator(context, System.getenv());
  }

  @Override
  public List<StatusPart> status() {
    return List.of(NodeDrainView.status());
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    return NodeDrainView.history(reader);
  }

  @Override
  public Map<String, HistoryPhase> historyPhases() {
    return Map.of(
        NodeDrainView.STARTED,
        HistoryPhase.STARTED,
        NodeDrainView.WAITING,
        HistoryPhase.DRAINING,
        NodeDrainView.ENDED,
        HistoryPhase.DRAIN_ENDED);
  }
}
