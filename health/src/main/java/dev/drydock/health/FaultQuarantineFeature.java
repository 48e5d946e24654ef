package dev.drydock.health;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.operator.FaultQuarantineOperator;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.operator.QuarantineSettings;
import dev.drydock.health.quarantine.QuarantineView;
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

/** Quarantine of the nodes that health events are about. */
public final class FaultQuarantineFeature implements Feature {
  @Override
  public String part() {
    return HealthNames.FAULT_QUARANTINE;
  }

  @Override
  public List<String> groups() {
    return List.of(IngestFeature.GROUP);
  }

  /** It needs an event store. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "quarantines nodes that health events are about, and puts them back";
  }

  @Override
  public List<Setting<?>> settings() {
    return Stream.<Setting<?>>concat(HealthSettings.STORE.stream(), QuarantineSettings.ALL.stream())
        .toList();
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new FaultQuarantineOperator(context, System.getenv());
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
}
