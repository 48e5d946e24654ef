package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.Planner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Source;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks whether a node is empty, as a drain by a policy would leave it: for those who begin
 * something there and must not rely on what a drain said earlier.
 */
public final class NodeEmptiness {
  private final Kube kube;
  private final OwnerLookups owners;

  public NodeEmptiness(Kube kube) {
    this.kube = kube;
    owners = new OwnerLookups(kube.http(), kube.time());
  }

  /**
   * Pods that should have left and run there now, by namespace and name. Finished ones do not
   * count: they hold nothing up.
   *
   * @throws dev.drydock.kube.ApiFailure if nobody can say
   */
  public List<String> left(String node, DrainPolicy policy) {
    List<PodFacts> pods =
        kube.http().readAll("pods of node " + node, Source.podsOn(node), PodReader::read);
    List<PodFacts> running =
        pods.stream().filter(pod -> !pod.finished()).map(this::withOwner).toList();
    NodeFacts facts = new NodeFacts(node, true, true, Optional.empty(), false);
    DrainPlan plan =
        Planner.plan(Observation.of(facts, running, List.of()), policy, kube.clock().instant());
    Set<String> left = new HashSet<>();
    for (DrainPlan.PodPlan pod : plan.pods()) {
      if (pod.verdict().goes() || pod.verdict().isRefused()) {
        left.add(pod.pod().toString());
      }
    }
    return left.stream().sorted().toList();
  }

  private PodFacts withOwner(PodFacts pod) {
    Optional<Owner> daemonSet = pod.controller().filter(OwnerLookups::isDaemonSet);
    return daemonSet
        .map(owner -> owners.daemonSetNow(pod.ref().namespace(), owner.name()))
        .map(found -> pod.toBuilder().daemonSet(found).build())
        .orElse(pod);
  }
}
