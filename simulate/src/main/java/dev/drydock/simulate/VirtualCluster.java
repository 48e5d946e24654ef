package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.LocalCalls;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The simulated cluster as simulations use it: objects by name, changes by kind, timers. */
final class VirtualCluster implements AutoCloseable {
  /** A whole second, as in the API. */
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Watches get bookmarks at once, so a short event history is enough. */
  private static final int HISTORY = 1000;

  /** Gets an object before and after a change; one is empty if the object is new or gone. */
  interface Listener {
    void changed(Optional<JsonNode> before, Optional<JsonNode> after);
  }

  private final SimulatedCluster cluster;
  private final Latencies latencies;
  private final Kube kube;

  VirtualCluster(long seed) {
    SimulatedCluster.Settings settings =
        SimulatedCluster.Settings.defaults().withSeed(seed).withHistory(HISTORY);
    cluster = SimulatedCluster.stepped(settings, START);
    latencies = new Latencies(cluster.time(), seed);
    kube =
        new Kube(
            new KubeHttp(
                cluster.transport(cluster.time(), latencies::watch),
                RequestInterceptor.NONE,
                KubeHttp.PAGE_SIZE,
                KubeHttp.ANSWER_WITHIN),
            latencies);
  }

  /** For clients of the cluster's API in virtual time. */
  Kube kube() {
    return kube;
  }

  Instant now() {
    return cluster.now();
  }

  void load(Collection<ObjectNode> objects) {
    cluster.load(objects);
  }

  /** Replaces the timer of the key. */
  void at(Object key, Instant time, Runnable action) {
    cluster.at(key, time, action);
  }

  /** After the delay of a watch. */
  void soon(Runnable action) {
    at(new Object(), now().plus(latencies.watch()), action);
  }

  @Nullable Instant nextTimer() {
    return cluster.nextTimer();
  }

  void advanceTo(Instant time) {
    cluster.advanceTo(time);
  }

  /** A missing node if there is none. */
  JsonNode node(String name) {
    ObjectNode node = cluster.find("Node", "", name);
    return node == null ? MissingNode.getInstance() : node;
  }

  List<ObjectNode> podsOn(String node) {
    return cluster.podsOn(node);
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
            boolean gone = event.type() == ObjectChange.Type.DELETED;
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
    kube.close();
    cluster.close();
  }
}
