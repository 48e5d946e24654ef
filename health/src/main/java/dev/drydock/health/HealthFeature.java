package dev.drydock.health;

import dev.drydock.health.command.ConnectorOptions;
import dev.drydock.health.operator.HealthOperator;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.operator.QuarantineSettings;
import dev.drydock.health.quarantine.QuarantineView;
import dev.drydock.serve.feature.AgentRole;
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
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Health events: a connector on each node accepts them, a central ingest stores them, and
 * controllers act on them.
 */
public final class HealthFeature implements Feature {
  @Override
  public String part() {
    return "health";
  }

  @Override
  public String agentPart() {
    return "connector";
  }

  /** It needs a volume or a database. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "stores health events, and quarantines the nodes that they are about";
  }

  @Override
  public List<Setting<?>> settings() {
    return Stream.concat(HealthSettings.ALL.stream(), QuarantineSettings.ALL.stream())
        .<Setting<?>>map(setting -> setting)
        .toList();
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new HealthOperator(context, System.getenv());
  }

  @Override
  public List<StatusPart> status() {
    return List.of(QuarantineView.status());
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    return QuarantineView.history(reader);
  }

  @Override
  public Map<String, HistoryPhase> historyPhases() {
    return Map.of(
        QuarantineView.UNHEALTHY,
        HistoryPhase.CREATED,
        QuarantineView.QUARANTINED,
        HistoryPhase.HELD,
        QuarantineView.HEALTHY,
        HistoryPhase.ENDED);
  }

  @Override
  public Optional<AgentRole> agent() {
    return Optional.of(new ConnectorOptions());
  }
}
