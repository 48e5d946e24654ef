package dev.drydock.health;

import dev.drydock.health.command.ConnectorOptions;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.operator.IngestOperator;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import java.util.List;
import java.util.Optional;

/** Health events: a connector on each node accepts them, a central ingest stores them. */
public final class IngestFeature implements Feature {
  /** This and the quarantine, in one process. */
  static final String GROUP = "health";

  @Override
  public String part() {
    return "ingest";
  }

  @Override
  public String agentPart() {
    return "connector";
  }

  @Override
  public List<String> groups() {
    return List.of(GROUP);
  }

  /** It needs a volume or a database. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "takes and stores health events, and shows failures on their Nodes";
  }

  @Override
  public List<Setting<?>> settings() {
    return HealthSettings.ALL;
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new IngestOperator(context, System.getenv());
  }

  @Override
  public Optional<AgentRole> agent() {
    return Optional.of(new ConnectorOptions());
  }
}
