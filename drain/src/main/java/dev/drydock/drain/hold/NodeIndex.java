package dev.drydock.drain.hold;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.Watch.State;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One watch of Nodes, or of objects on nodes, for any number of drains: a change wakes the drains
 * of its node. Only the objects of its member nodes are kept.
 */
public final class NodeIndex<T> implements AutoCloseable {
  private final Content<T> content;

  /** The listeners of each member node. */
  private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();

  private final boolean everyNode;
  private final List<Consumer<String>> observers = new CopyOnWriteArrayList<>();

  /** The nodes of objects that cannot be read, by namespace and name. */
  private final Map<String, String> unreadable = new ConcurrentHashMap<>();

  private final Watch<T> watch;
  private boolean started;

  /**
   * What is watched.
   *
   * @param nodeOf the name of an object's node, before it is read
   * @param node the same, of an object that was read
   */
  public record Content<T>(
      Function<JsonNode, String> nodeOf, Function<JsonNode, T> reader, Function<T, String> node) {}

  public static final Content<DrainNodeObject> NODES =
      new Content<>(
          node -> text(node.path("metadata"), "name"),
          DrainNodeObject::read,
          DrainNodeObject::name);

  private NodeIndex(Kube kube, Source source, Content<T> content, boolean everyNode) {
    this.content = content;
    this.everyNode = everyNode;
    Watch.Kind<T> kind = Watch.Kind.of(source, this::read).groupedBy(content.node());
    watch =
        kube.watches()
            .of(
                everyNode ? kind : kind.optional(),
                Watch.Listener.keyed(content.node(), this::wake, this::wakeAll));
  }

  /** All Nodes of the cluster, in a process that watches them anyway. Started. */
  public static NodeIndex<DrainNodeObject> ofEveryNode(Kube kube) {
    NodeIndex<DrainNodeObject> nodes = new NodeIndex<>(kube, Resource.NODES.all(), NODES, true);
    nodes.start();
    return nodes;
  }

  /** An index of these nodes; closed when the last of them was left by its drain. */
  public static <T> NodeIndex<T> of(
      Kube kube, Source source, Content<T> content, Collection<String> members) {
    NodeIndex<T> index = new NodeIndex<>(kube, source, content, false);
    members.forEach(member -> index.listeners.put(member, new CopyOnWriteArrayList<>()));
    return index;
  }

  /** Does nothing if it has started already. */
  public synchronized void start() {
    if (!started) {
      started = true;
      watch.start();
    }
  }

  /** Starts from objects by UID that were just read at this version. */
  public synchronized void startFrom(Map<String, T> objects, String version) {
    if (!started) {
      started = true;
      watch.startFrom(objects, version);
    }
  }

  public boolean isMember(String node) {
    return everyNode || listeners.containsKey(node);
  }

  private @Nullable T read(JsonNode object) {
    String node = content.nodeOf().apply(object);
    if (!isMember(node)) {
      return null;
    }
    boolean readable = false;
    try {
      T read = content.reader().apply(object);
      readable = true;
      return read;
    } finally {
      if (!readable) {
        unreadable.put(key(object), node);
      } else if (!unreadable.isEmpty()) {
        unreadable.remove(key(object));
      }
    }
  }

  private static String key(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String namespace = text(metadata, "namespace");
    return (namespace.isEmpty() ? "" : namespace + "/") + text(metadata, "name");
  }

  public State<T> state() {
    return watch.state();
  }

  /** The objects of one node. */
  public State<T> state(String node) {
    State<T> state = watch.state(node);
    if (state.unreadable().isEmpty()) {
      return state;
    }
    Map<String, String> here = new HashMap<>(state.unreadable());
    here.keySet().removeIf(object -> !node.equals(unreadable.get(object)));
    return state.only(state.items(), here);
  }

  /** As {@link Watch#listsBegun}. */
  public int listsBegun() {
    return watch.listsBegun();
  }

  public Optional<T> find(String node) {
    return watch.state(node).items().stream().findFirst();
  }

  /** Wakes on each change about a member node, until it is left. */
  public void join(String node, Runnable wake) {
    listeners.computeIfAbsent(node, _ -> new CopyOnWriteArrayList<>()).add(wake);
  }

  public void leave(String node, Runnable wake) {
    var _ =
        listeners.computeIfPresent(
            node,
            (_, each) -> {
              each.remove(wake);
              return each.isEmpty() ? null : each;
            });
    if (!isMember(node)) {
      watch.forget(node);
      if (listeners.isEmpty()) {
        close();
      }
    }
  }

  /** The observer gets the name of each changed node, until the returned Runnable is run. */
  public Runnable observe(Consumer<String> observer) {
    observers.add(observer);
    return () -> observers.remove(observer);
  }

  private void wake(String node) {
    listeners.getOrDefault(node, List.of()).forEach(Runnable::run);
    observers.forEach(observer -> observer.accept(node));
  }

  private void wakeAll() {
    listeners.values().forEach(each -> each.forEach(Runnable::run));
    if (!observers.isEmpty()) {
      watch
          .state()
          .items()
          .forEach(
              object ->
                  observers.forEach(observer -> observer.accept(content.node().apply(object))));
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
