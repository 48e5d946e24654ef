package dev.drydock.edge;

import dev.drydock.edge.command.EdgeAgentOptions;
import dev.drydock.edge.longhorn.DrainPolicyController;
import dev.drydock.edge.longhorn.NodeDrainPolicy;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import java.util.List;
import java.util.Optional;

/** Drains that gate reboot, shutdown and OS update at the edge. */
public final class EdgeFeature implements Feature {
  /** EVE calls it storage.longhorn.node-drain-policy. */
  public static final Setting<Optional<NodeDrainPolicy>> NODE_DRAIN_POLICY =
      Setting.of(
          "longhorn.nodeDrainPolicy",
          NodeDrainPolicy.KIND,
          "",
          "What Longhorn does when a node with replicas is drained; written to its setting"
              + " node-drain-policy. Empty: left alone.");

  @Override
  public String part() {
    return "edge";
  }

  @Override
  public String summary() {
    return "writes Longhorn's node drain policy";
  }

  /** It restarts machines, which nobody expects who has not asked for it. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(NODE_DRAIN_POLICY);
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {
      @Override
      public AutoCloseable lead(LeaderTerm term) {
        Optional<DrainPolicyController> controller =
            context
                .settings()
                .get(NODE_DRAIN_POLICY)
                .map(policy -> new DrainPolicyController(context.kube(), policy));
        controller.ifPresent(DrainPolicyController::start);
        return () -> controller.ifPresent(DrainPolicyController::close);
      }
    };
  }

  @Override
  public Optional<AgentRole> agent() {
    return Optional.of(new EdgeAgentOptions());
  }
}
