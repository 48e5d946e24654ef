package dev.drydock.bench;

import dev.drydock.bench.Peer.AgentNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleEventSpec;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition;
import dev.drydock.lifecycle.LifecycleAgent;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node whose LifecycleEvents are served: by our agent alone, or by our agent as the driver and
 * {@link TickingClaimer} as the claimer. It is idle until an event is created.
 */
final class LifecycleRun implements AutoCloseable {
  /** The name of the driver and of its drain transition. */
  private static final String DRAIN = "drain.slm.k8s.io";

  private static final String EVENT = "bench-drain";
  private static final String LEASES = "kube-node-lease";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** How long other start-up work takes at most. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  private final KubernetesClient client;
  private final AgentNode agentNode;
  private final PeerRun agent;
  private final LifecycleWatch watch;
  private @Nullable TickingClaimer claimer;

  private LifecycleRun(KubernetesClient client, AgentNode agentNode, PeerRun agent) {
    this.client = client;
    this.agentNode = agentNode;
    this.agent = agent;
    this.watch = new LifecycleWatch(client, EVENT);
  }

  /** Returns when events would be served at once, or at the next tick. */
  static LifecycleRun start(BenchCluster cluster, String node, Contestant who, Duration tick) {
    KubernetesClient client = cluster.client();
    BenchDefinitions.apply(client, CrdCatalog.KINDS);
    BenchDefinitions.apply(client, CrdCatalog.COMPATIBLE);
    forgetTransition(client, node);
    boolean ticks = who.name().equals(Contestant.TICKS);
    AgentNode agentNode = new AgentNode(node, cluster.namespace(), cluster.folder(), !ticks);
    String user = cluster.user(who);
    PeerRun agent = cluster.start(user, List.of(who.peer().agent(agentNode)));
    LifecycleRun run = new LifecycleRun(client, agentNode, agent);
    try {
      run.awaitTransition();
      if (ticks) {
        run.claimer =
            new TickingClaimer(cluster.clientOf(user), node, agentNode.registrations(), tick);
        run.claimer.awaitDriver(DRAIN);
      } else {
        run.awaitClaiming();
      }
      cluster.pods().pause(SETTLED);
      agent.assertRunning();
      return run;
    } catch (RuntimeException failed) {
      run.close();
      throw failed;
    }
  }

  /** Removes the old condition; a claimer that trusts it would have nothing to do. */
  private static void forgetTransition(KubernetesClient client, String node) {
    var _ =
        client
            .nodes()
            .withName(node)
            .subresource("status")
            .patch(
                PatchContext.of(PatchType.STRATEGIC_MERGE),
                "{\"status\":{\"conditions\":[{\"type\":\"%s\",\"$patch\":\"delete\"}]}}"
                    .formatted(LifecycleNames.CONDITION));
  }

  private void awaitTransition() {
    var _ =
        client
            .resources(CompatLifecycleTransition.class)
            .withName(DRAIN)
            .waitUntilCondition(Objects::nonNull, LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private void awaitClaiming() {
    var _ =
        lease()
            .waitUntilCondition(
                seen ->
                    seen != null
                        && seen.getSpec().getHolderIdentity() != null
                        && !seen.getSpec().getHolderIdentity().isEmpty(),
                LIMIT.toSeconds(),
                TimeUnit.SECONDS);
  }

  private Resource<Lease> lease() {
    return client.leases().inNamespace(LEASES).withName(LifecycleAgent.lease(agentNode.node()));
  }

  /**
   * Requests a drain of the node at a time that is independent of the ticks, if any: the first tick
   * comes after half a period in the first round, then after a quarter, three quarters and so on,
   * so that the rounds together cover the whole period.
   *
   * @return when, on {@link System#nanoTime}
   */
  long create(int round) {
    CompatLifecycleEvent event = new CompatLifecycleEvent();
    event.setMetadata(new ObjectMetaBuilder().withName(EVENT).build());
    event.setSpec(new LifecycleEventSpec(DRAIN, agentNode.node()));
    long created = System.nanoTime();
    if (claimer != null) {
      claimer.start((Integer.reverse(round) >>> 1) / (double) (1L << 31));
    }
    var _ = client.resource(event).create();
    return created;
  }

  LifecycleWatch watch() {
    return watch;
  }

  PeerRun agent() {
    return agent;
  }

  /** Stops all processes and removes everything that a later run would find. */
  @Override
  public void close() {
    if (claimer != null) {
      claimer.close();
    }
    agent.close();
    watch.close();
    var events = client.resources(CompatLifecycleEvent.class);
    if (events.withName(EVENT).get() != null) {
      var _ =
          events
              .withName(EVENT)
              .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
      var _ = events.withName(EVENT).delete();
    }
    var _ = client.resources(CompatLifecycleTransition.class).delete();
    var _ = client.resources(dev.drydock.contracts.lifecycle.LifecycleTransition.class).delete();
    var _ = lease().delete();
  }
}
