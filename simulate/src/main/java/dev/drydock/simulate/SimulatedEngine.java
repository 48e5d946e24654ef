package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.BudgetLocks;
import dev.drydock.drain.engine.KubeFacts;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.NodeFacts;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.sim.call.LocalCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What drains in virtual time share: the cluster, the turn at each budget, the pace, and how long
 * watches and calls take. Everything happens in one thread, in the order of virtual time.
 */
final class SimulatedEngine {
  /** On whose behalf nodes are held. */
  static final String HOLDER = "user/simulation";

  /** As many changes under way at a time as the engine makes. */
  private static final int MOST_UNDER_WAY = 60;

  private static final int WATCH_AT_LEAST_MS = 5;
  private static final int WATCH_AT_MOST_MS = 20;
  private static final int CALL_AT_LEAST_MS = 8;
  private static final int CALL_AT_MOST_MS = 30;

  /** What is seen of a node at one moment, and which budgets matter in it. */
  record Look(Observation observation, Set<BudgetRef> guards) {}

  private final VirtualCluster cluster;
  private final Random random;
  private final BudgetLocks budgetLocks = new BudgetLocks();
  private final Map<String, NodeDrain> drains = new LinkedHashMap<>();
  private final Map<String, Map<BudgetRef, BudgetFacts>> budgets = new LinkedHashMap<>();
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private int underWay;

  SimulatedEngine(VirtualCluster cluster, long seed) {
    this.cluster = cluster;
    this.random = new Random(seed);
    cluster.onPod(this::podChanged);
    cluster.onNode((before, after) -> wake(name(after.or(() -> before).orElseThrow())));
    cluster.onBudget(this::budgetChanged);
  }

  Instant now() {
    return cluster.now();
  }

  BudgetLocks budgetLocks() {
    return budgetLocks;
  }

  /** Begins at once; the node is held from now on. */
  NodeDrain start(String node, DrainPolicy policy, NodeDrain.Listener listener) {
    hold(node);
    NodeDrain drain = new NodeDrain(node, policy, this, listener);
    drains.put(node, drain);
    drain.wake();
    return drain;
  }

  void ended(NodeDrain drain) {
    drains.remove(drain.node(), drain);
  }

  boolean isDraining(String node) {
    return drains.containsKey(node);
  }

  void hold(String node) {
    change(node, holds -> holds.place(Hold.of(HOLDER, "simulated", now())));
  }

  void release(String node) {
    change(node, holds -> holds.release(HOLDER));
  }

  void releaseEverything(String node) {
    change(node, Holds::releaseEverything);
  }

  private void change(String node, Function<Holds, Holds.Change> operation) {
    KubeFacts.holds(cluster.node(node), operation)
        .ifPresent(
            call -> {
              LocalCalls.Answer answer = cluster.call(call);
              if (!answer.isSuccess()) {
                throw new IllegalStateException("holds of " + node + ": " + answer.body());
              }
            });
  }

  boolean isHeld(String node) {
    return KubeFacts.holds(cluster.node(node)).heldBy(HOLDER);
  }

  /** After as long as a watch takes to tell. */
  void soon(Runnable action) {
    cluster.at(new Object(), now().plusMillis(draw(WATCH_AT_LEAST_MS, WATCH_AT_MOST_MS)), action);
  }

  /** In place of what was set for the key before. */
  void at(Object key, Instant time, Runnable action) {
    cluster.at(key, time, action);
  }

  private int draw(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /** Takes effect after a while, and is answered after a while more. */
  void send(Action action, Consumer<EvictionAnswer> answered) {
    queue.add(() -> call(action, answered));
    sendNext();
  }

  private void sendNext() {
    while (underWay < MOST_UNDER_WAY && !queue.isEmpty()) {
      underWay++;
      queue.removeFirst().run();
    }
  }

  private void call(Action action, Consumer<EvictionAnswer> answered) {
    Duration half = Duration.ofMillis(draw(CALL_AT_LEAST_MS, CALL_AT_MOST_MS)).dividedBy(2);
    cluster.at(
        new Object(),
        now().plus(half),
        () -> {
          LocalCalls.Answer answer = cluster.call(KubeFacts.request(action));
          cluster.at(
              new Object(),
              now().plus(half),
              () -> {
                underWay--;
                answered.accept(KubeFacts.answer(action, answer.code(), answer.body()));
                sendNext();
              });
        });
  }

  Look look(String node, Instant startedAt) {
    JsonNode object = cluster.node(node);
    NodeFacts facts = object.isMissingNode() ? NodeFacts.gone(node) : KubeFacts.node(object);
    List<PodFacts> pods = new ArrayList<>();
    for (JsonNode pod : cluster.podsOn(node)) {
      PodFacts read = KubeFacts.pod(pod);
      pods.add(read.controller().map(owner -> withOwner(read, owner, startedAt)).orElse(read));
    }
    Observation observation = Observation.of(facts, pods, budgetsOf(pods));
    Set<BudgetRef> guards =
        pods.stream()
            .flatMap(pod -> observation.budgets().guarding(pod).stream())
            .map(BudgetFacts::ref)
            .collect(Collectors.toSet());
    return new Look(observation, guards);
  }

  private List<BudgetFacts> budgetsOf(List<PodFacts> pods) {
    return pods.stream()
        .map(pod -> pod.ref().namespace())
        .distinct()
        .flatMap(namespace -> budgets.getOrDefault(namespace, Map.of()).values().stream())
        .toList();
  }

  private PodFacts withOwner(PodFacts pod, Owner owner, Instant startedAt) {
    String namespace = pod.ref().namespace();
    if (owner.kind().equals("DaemonSet")) {
      boolean there = !cluster.owner(owner, namespace).isMissingNode();
      DaemonSetLookup found = there ? new DaemonSetLookup.Exists() : new DaemonSetLookup.Missing();
      return pod.toBuilder().daemonSet(found).build();
    }
    if (pod.finished() || !pod.mayHaveComeAfter(startedAt)) {
      return pod;
    }
    return pod.toBuilder().pinned(KubeFacts.pins(cluster.owner(owner, namespace))).build();
  }

  private void podChanged(Optional<JsonNode> before, Optional<JsonNode> after) {
    before.ifPresent(pod -> wake(nodeOf(pod)));
    after.ifPresent(pod -> wake(nodeOf(pod)));
  }

  private void wake(String node) {
    NodeDrain drain = drains.get(node);
    if (drain != null) {
      drain.wake();
    }
  }

  private void budgetChanged(Optional<JsonNode> before, Optional<JsonNode> after) {
    BudgetFacts facts = KubeFacts.budget(after.or(() -> before).orElseThrow());
    Map<BudgetRef, BudgetFacts> known =
        budgets.computeIfAbsent(facts.ref().namespace(), _ -> new LinkedHashMap<>());
    if (after.isPresent()) {
      known.put(facts.ref(), facts);
    } else {
      known.remove(facts.ref());
    }
    drains.values().stream()
        .filter(drain -> drain.guards().contains(facts.ref()))
        .forEach(NodeDrain::wake);
  }

  private static String nodeOf(JsonNode pod) {
    return pod.path("spec").path("nodeName").asText("");
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText("");
  }
}
