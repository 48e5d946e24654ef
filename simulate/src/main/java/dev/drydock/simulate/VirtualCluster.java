package dev.drydock.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.kube.ApiCall;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.LocalCalls;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.StoredEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The simulated cluster as simulations use it: objects by name, changes by kind, timers. */
final class VirtualCluster implements AutoCloseable {
  /** The API tells time in whole seconds, so it begins with one. */
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Nobody watches, so hardly anything has to be remembered. */
  private static final int HISTORY = 100;

  /** Told what an object was and what it is now; one of them is absent if it is new or gone. */
  interface Listener {
    void changed(Optional<JsonNode> before, Optional<JsonNode> after);
  }

  private final SimulatedCluster cluster;

  VirtualCluster(long seed) {
    SimulatedCluster.Settings settings =
        SimulatedCluster.Settings.usual().withSeed(seed).withHistory(HISTORY);
    cluster = SimulatedCluster.stepped(settings, START);
  }

  Instant now() {
    return cluster.now();
  }

  void load(Collection<ObjectNode> objects) {
    cluster.load(objects);
  }

  /** In place of what was set for the key before. */
  void at(Object key, Instant time, Runnable action) {
    cluster.at(key, time, action);
  }

  @Nullable Instant nextTimer() {
    return cluster.nextTimer();
  }

  void advanceTo(Instant time) {
    cluster.advanceTo(time);
  }

  LocalCalls.Answer call(ApiCall call) {
    return cluster.call(
        call.verb().method(),
        call.path(),
        Objects.requireNonNullElse(call.contentType(), ""),
        call.body() == null ? null : parsed(call.body()));
  }

  private static JsonNode parsed(String body) {
    try {
      return JsonTrees.MAPPER.readTree(body);
    } catch (JsonProcessingException ours) {
      throw new IllegalStateException("a request that is no JSON: " + body, ours);
    }
  }

  /** A missing node if there is none. */
  JsonNode node(String name) {
    return found(cluster.find("Node", "", name));
  }

  List<ObjectNode> podsOn(String node) {
    return cluster.podsOn(node);
  }

  JsonNode owner(Owner owner, String namespace) {
    return found(cluster.find(owner.kind(), namespace, owner.name()));
  }

  private static JsonNode found(@Nullable ObjectNode object) {
    return object == null ? MissingNode.getInstance() : object;
  }

  void onPod(Listener listener) {
    on("pods.", listener);
  }

  void onNode(Listener listener) {
    on("nodes.", listener);
  }

  void onBudget(Listener listener) {
    on("poddisruptionbudgets.policy", listener);
  }

  private void on(String resource, Listener listener) {
    cluster.listen(
        event -> {
          if (event.resource().equals(resource)) {
            boolean gone = event.type() == StoredEvent.Type.DELETED;
            listener.changed(
                Optional.ofNullable(event.previous()),
                gone ? Optional.empty() : Optional.of(event.object()));
          }
        });
  }

  /** Sets or, with null, takes away annotations of a node. */
  void annotateNode(String name, String annotation, @Nullable String value) {
    ObjectNode patch = JsonTrees.object();
    patch.putObject("metadata").putObject("annotations").put(annotation, value);
    LocalCalls.Answer answer = cluster.patch("Node", "", name, "", patch);
    if (!answer.isSuccess()) {
      throw new IllegalStateException("node " + name + ": " + answer.body());
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
