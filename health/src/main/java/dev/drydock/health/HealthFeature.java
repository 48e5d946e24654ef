package dev.drydock.health;

import dev.drydock.health.command.ConnectorOptions;
import dev.drydock.health.operator.HealthLeader;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import java.util.List;
import java.util.Optional;

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
    return "takes health events from connectors and monitors, and stores them";
  }

  @Override
  public List<Setting<?>> settings() {
    return HealthSettings.ALL;
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {
      @Override
      public AutoCloseable lead(LeaderTerm term) {
        HealthLeader leader = new HealthLeader(context, System.getenv(), List.of());
        leader.start();
        return leader;
      }
    };
  }

  @Override
  public Optional<AgentRole> agent() {
    return Optional.of(new ConnectorOptions());
  }
}
