package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainApiPaths;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HeldNodeView;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.kube.Watch.Kind;
import dev.drydock.kube.Watch.State;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One stream of nodes and one of pods for many nodes that are drained together. Only what concerns
 * those that still have to be drained is kept. Ends with the last of them.
 */
final class SharedNodeWatches {
  /** Of each node that has to be drained, and empty before its drain has begun. */
  private final Map<String, Optional<Runnable>> wakers = new ConcurrentHashMap<>();

  /** The nodes of pods that cannot be read. */
  private final Map<String, String> unreadable = new ConcurrentHashMap<>();

  private final Watch<PodFacts> pods;
  private final Watch<DrainNodeObject> nodes;

  SharedNodeWatches(Kube kube, Collection<String> members) {
    members.forEach(member -> wakers.put(member, Optional.empty()));
    pods =
        kube.watches()
            .of(
                Kind.of(DrainApiPaths.PODS_ON_NODES, this::readPod)
                    .groupedBy(PodFacts::nodeName)
                    .optional(),
                new Dispatch<>(PodFacts::nodeName));
    nodes =
        kube.watches()
            .of(
                Kind.of(DrainApiPaths.ALL_NODES, this::readNode)
                    .groupedBy(DrainNodeObject::name)
                    .optional(),
                new Dispatch<>(DrainNodeObject::name));
  }

  boolean isMember(String node) {
    return wakers.containsKey(node);
  }

  private @Nullable PodFacts readPod(JsonNode object) {
    String node = text(object.path("spec"), "nodeName");
    if (!isMember(node)) {
      return null;
    }
    JsonNode metadata = object.path("metadata");
    String pod = text(metadata, "namespace") + "/" + text(metadata, "name");
    unreadable.put(pod, node);
    PodFacts read = PodReader.read(object);
    unreadable.remove(pod);
    return read;
  }

  private @Nullable DrainNodeObject readNode(JsonNode object) {
    return isMember(text(object.path("metadata"), "name")) ? DrainNodeObject.read(object) : null;
  }

  /** From the members as they were listed, as of a version. */
  void start(Collection<DrainNodeObject> members, String version) {
    nodes.startFrom(
        members.stream().collect(Collectors.toMap(DrainNodeObject::uid, node -> node)), version);
    pods.start();
  }

  /** Absent for a node that is not, or no longer, one of those that are drained together. */
  Optional<NodeWatches> of(String node, Runnable wake) {
    boolean waits = wakers.replace(node, Optional.empty(), Optional.of(wake));
    return waits ? Optional.of(new Member(node)) : Optional.empty();
  }

  private void leave(String node) {
    wakers.remove(node);
    pods.forget(node);
    nodes.forget(node);
    if (wakers.isEmpty()) {
      pods.close();
      nodes.close();
    }
  }

  private final class Member implements NodeWatches {
    private final String name;
    private volatile Optional<DrainNodeObject> held = Optional.empty();

    Member(String name) {
      this.name = name;
    }

    @Override
    public void open() {
      // The streams flow already.
    }

    @Override
    public void held(DrainNodeObject node) {
      held = Optional.of(node);
    }

    @Override
    public State<PodFacts> pods() {
      State<PodFacts> state = pods.state(name);
      Map<String, String> here = new HashMap<>(state.unreadable());
      here.keySet().removeIf(pod -> !name.equals(unreadable.get(pod)));
      return new State<>(state.items(), state.unsynced(), state.forbidden(), here);
    }

    /** The stream may still show the node from before it was held. */
    @Override
    public State<DrainNodeObject> node() {
      State<DrainNodeObject> state = nodes.state(name);
      return HeldNodeView.only(name, state, HeldNodeView.newest(state.items(), held));
    }

    @Override
    public void close() {
      leave(name);
    }
  }

  private final class Dispatch<T> implements Watch.Listener<T> {
    private final Function<T, String> node;

    Dispatch(Function<T, String> node) {
      this.node = node;
    }

    @Override
    public void changed(@Nullable T before, @Nullable T after) {
      T fact = after == null ? before : after;
      if (fact != null) {
        wakers.getOrDefault(node.apply(fact), Optional.empty()).ifPresent(Runnable::run);
      }
    }

    @Override
    public void refreshed() {
      List.copyOf(wakers.values()).forEach(waker -> waker.ifPresent(Runnable::run));
    }
  }
}
