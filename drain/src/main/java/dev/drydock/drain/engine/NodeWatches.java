package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.text;

import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.NodeIndex;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch.State;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The latest facts about a node that is being drained and the pods on it. */
final class NodeWatches implements AutoCloseable {
  private static final NodeIndex.Content<PodFacts> PODS =
      new NodeIndex.Content<>(
          pod -> text(pod.path("spec"), "nodeName"), PodReader::read, PodFacts::nodeName);

  private final String name;
  private final NodeIndex<DrainNodeObject> nodes;
  private final NodeIndex<PodFacts> pods;
  private final Runnable wake;
  private final Runnable nodeChanged;
  private final Latest<DrainNodeObject> latest = new Latest<>();
  private volatile boolean gone;

  /**
   * One watch of nodes and one of pods for many nodes that are drained together. They end with the
   * last of these drains.
   *
   * @param waiting nodes whose drain has not begun
   */
  record Shared(NodeIndex<DrainNodeObject> nodes, NodeIndex<PodFacts> pods, Set<String> waiting) {
    static Shared of(Kube kube, Collection<String> members) {
      Set<String> waiting = ConcurrentHashMap.newKeySet();
      waiting.addAll(members);
      return new Shared(
          NodeIndex.of(kube, Resource.NODES.all(), NodeIndex.NODES, members),
          NodeIndex.of(kube, Source.podsOnNodes(), PODS, members),
          waiting);
    }

    /** From the members as they were listed, as of a version. */
    void start(Collection<DrainNodeObject> members, String version) {
      nodes.startFrom(
          members.stream().collect(Collectors.toMap(DrainNodeObject::uid, node -> node)), version);
      pods.start();
    }

    /** Empty for a node that is not, or no longer, one of those that are drained together. */
    Optional<NodeWatches> join(String node, Runnable wake) {
      return waiting.remove(node)
          ? Optional.of(new NodeWatches(node, nodes, pods, wake))
          : Optional.empty();
    }
  }

  private NodeWatches(
      String name, NodeIndex<DrainNodeObject> nodes, NodeIndex<PodFacts> pods, Runnable wake) {
    this.name = name;
    this.nodes = nodes;
    this.pods = pods;
    this.wake = wake;
    nodeChanged =
        () -> {
          gone = nodes.find(name).isEmpty();
          wake.run();
        };
    nodes.join(name, nodeChanged);
    pods.join(name, wake);
  }

  /** A watch of the node alone, which begins when it is held, and one of its pods. */
  static NodeWatches alone(Kube kube, String node, Runnable wake) {
    return among(
        NodeIndex.of(kube, Resource.NODES.named(node), NodeIndex.NODES, List.of(node)),
        kube,
        node,
        wake);
  }

  /** A watch of the node's pods alone, so that memory follows the nodes being drained. */
  static NodeWatches among(
      NodeIndex<DrainNodeObject> nodes, Kube kube, String node, Runnable wake) {
    return new NodeWatches(
        node, nodes, NodeIndex.of(kube, Source.podsOn(node), PODS, List.of(node)), wake);
  }

  /** Begins to look at the pods. */
  void open() {
    pods.start();
  }

  /** The node as it was after it was held; from then on it is followed. */
  synchronized void held(DrainNodeObject node) {
    var _ = latest.wrote(node);
    nodes.startFrom(Map.of(node.uid(), node), node.version());
  }

  /** As {@link dev.drydock.kube.Watch#listsBegun}, of the pods. */
  int podListsBegun() {
    return pods.listsBegun();
  }

  State<PodFacts> pods() {
    return pods.state(name);
  }

  /** The watch may still show the node from before it was held, or not at all. */
  synchronized State<DrainNodeObject> node() {
    State<DrainNodeObject> state = nodes.state(name);
    List<DrainNodeObject> items =
        state.items().isEmpty() && !gone
            ? latest.written()
            : state.items().stream().map(latest::of).toList();
    return state.only(items, state.unreadable());
  }

  Optional<DrainNodeObject> latest() {
    return node().items().stream().findFirst();
  }

  @Override
  public void close() {
    pods.leave(name, wake);
    nodes.leave(name, nodeChanged);
  }
}
