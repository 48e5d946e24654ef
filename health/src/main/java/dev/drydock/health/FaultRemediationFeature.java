package dev.drydock.health;

import dev.drydock.health.operator.FaultRemediationOperator;
import dev.drydock.health.operator.RemediationSettings;
import dev.drydock.health.remediation.RemediationView;
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

/** Remediation: makes maintenance resources for nodes that were quarantined and drained. */
public final class FaultRemediationFeature implements Feature {
  @Override
  public String part() {
    return "fault-remediation";
  }

  /** It reboots machines, or has others do it. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "makes maintenance resources for nodes that failed and are drained";
  }

  @Override
  public List<Setting<?>> settings() {
    return RemediationSettings.ALL;
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new FaultRemediationOperator(context, System.getenv());
  }

  @Override
  public List<StatusPart> status() {
    return List.of(RemediationView.status());
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    return RemediationView.history(reader);
  }

  @Override
  public Map<String, HistoryPhase> historyPhases() {
    return RemediationView.phases();
  }
}
