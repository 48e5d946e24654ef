package dev.drydock.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.RunningTime;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.kube.time.Timers;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.sim.call.HttpFront;
import dev.drydock.sim.call.LocalCalls;
import dev.drydock.sim.call.LocalCalls.Answer;
import dev.drydock.sim.call.LocalTransport;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Adoption;
import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in this process: API server, controllers, scheduler and the kubelets of all
 * nodes. In virtual time everything runs on the caller's thread, and the same seed and calls give
 * the same cluster; in real time programs can use it over HTTP.
 *
 * <p>Returned objects are shared with the store and must not be modified.
 */
public final class SimulatedCluster implements AutoCloseable {
  private static final String JSON = "application/json";

  /** Settings of a simulation. The same seed gives the same names and UIDs. */
  public record Settings(
      long seed, int history, CallInterceptor hook, KubeletKnobs knobs, boolean heartbeats) {
    private static final int DEFAULT_HISTORY = 10_000;

    public static Settings defaults() {
      return new Settings(1, DEFAULT_HISTORY, CallInterceptor.NONE, KubeletKnobs.NONE, false);
    }

    public Settings withSeed(long other) {
      return new Settings(other, history, hook, knobs, heartbeats);
    }

    /** The number of past events per resource from which watches can resume. */
    public Settings withHistory(int events) {
      return new Settings(seed, events, hook, knobs, heartbeats);
    }

    public Settings withHook(CallInterceptor other) {
      return new Settings(seed, history, other, knobs, heartbeats);
    }

    /** The kubelets' defaults for what neither pod nor node specifies. */
    public Settings withKnobs(KubeletKnobs others) {
      return new Settings(seed, history, hook, others, heartbeats);
    }

    /** Writes node Leases and heartbeat times, at the cost of some writes. */
    public Settings withHeartbeats() {
      return new Settings(seed, history, hook, knobs, true);
    }
  }

  private final Clock clock;
  private final Timers timers;
  private final @Nullable VirtualTime stepped;
  private final @Nullable RunningTime running;
  private final ApiServerParts parts;
  private final ClusterControllers controllers;
  private final LocalCalls calls;
  private final Adoption adoption;
  private final Map<String, ResourceType> builtIn = new ConcurrentHashMap<>();
  private @Nullable HttpFront front;

  private SimulatedCluster(Settings settings, @Nullable VirtualTime stepped) {
    this.stepped = stepped;
    this.clock = stepped == null ? Clock.systemUTC() : stepped;
    this.timers = stepped == null ? new Timers(clock) : stepped.timers();
    this.parts =
        new ApiServerParts(
            new SimulatedApiServer.Options(
                clock, settings.seed(), settings.history(), settings.hook()),
            timers);
    this.controllers = new ClusterControllers(parts, settings);
    this.calls = new LocalCalls(parts.calls());
    this.adoption = new Adoption(clock);
    this.running = stepped == null ? RunningTime.start(timers) : null;
  }

  /** A cluster in virtual time: nothing happens until {@link #advance}. */
  public static SimulatedCluster stepped(Settings settings, Instant start) {
    return new SimulatedCluster(settings, new VirtualTime(start));
  }

  /** A cluster in real time. */
  public static SimulatedCluster running(Settings settings) {
    return new SimulatedCluster(settings, null);
  }

  public Clock clock() {
    return clock;
  }

  public Instant now() {
    return clock.instant();
  }

  /** Advances virtual time: everything that is due in between runs at its instant. */
  public void advance(Duration duration) {
    steppedTime().advance(duration);
  }

  /** Advances virtual time to this instant. */
  public void advanceTo(Instant end) {
    steppedTime().advanceTo(end);
  }

  private VirtualTime steppedTime() {
    if (stepped == null) {
      throw new IllegalStateException("This cluster runs in real time; start one in virtual time");
    }
    return stepped;
  }

  /** The time of the next scheduled action, or null if there is none. */
  public @Nullable Instant nextTimer() {
    return timers.next();
  }

  /** Schedules the action and replaces the one scheduled before for this key. */
  public void at(Object key, Instant when, Runnable action) {
    timers.set(key, when, action);
  }

  /** Called for every change, in order, before anything reacts to it. */
  public void listen(Consumer<ObjectChange> listener) {
    parts.store().listen(listener);
  }

  /** Makes any API call except a watch, by its path. */
  public Answer call(String method, String path, @Nullable JsonNode body) {
    return calls.call(method, path, JSON, body);
  }

  /** As above, with a body type other than plain JSON, such as a patch. */
  public Answer call(String method, String path, String contentType, @Nullable JsonNode body) {
    return calls.call(method, path, contentType, body);
  }

  public Answer create(ObjectNode object) {
    ResourceType type = typeOf(object);
    String namespace = JsonTrees.text(object, "metadata", "namespace");
    String within = type.namespaced() && namespace.isEmpty() ? "default" : namespace;
    return call("POST", path(type, within, ""), object);
  }

  public Answer get(String kind, String namespace, String name) {
    return call("GET", path(kind, namespace, name), null);
  }

  /** Lists one namespace, or all if it is empty; the query may contain selectors. */
  public Answer list(String kind, String namespace, String query) {
    String parameters = query.isEmpty() ? "" : "?" + query;
    return call("GET", path(kind, namespace, "") + parameters, null);
  }

  /** Sends a merge patch; the subresource may be empty. */
  public Answer patch(
      String kind, String namespace, String name, String subresource, ObjectNode patch) {
    String below = subresource.isEmpty() ? "" : "/" + subresource;
    return calls.call(
        "PATCH", path(kind, namespace, name) + below, "application/merge-patch+json", patch);
  }

  /** With {@code DeleteOptions}, or null. */
  public Answer delete(String kind, String namespace, String name, @Nullable ObjectNode options) {
    return call("DELETE", path(kind, namespace, name), options);
  }

  /** Requests an eviction: 201, or 429 if a budget refuses. With {@code DeleteOptions}, or null. */
  public Answer evict(String namespace, String pod, @Nullable ObjectNode options) {
    ObjectNode eviction = JsonTrees.object().put("apiVersion", "policy/v1").put("kind", "Eviction");
    JsonTrees.metadata(eviction).put("name", pod).put("namespace", namespace);
    if (options != null) {
      eviction.set("deleteOptions", options);
    }
    return call("POST", path("Pod", namespace, pod) + "/eviction", eviction);
  }

  /** The stored object, or null. */
  public @Nullable ObjectNode find(String kind, String namespace, String name) {
    return parts.store().get(typeOf(kind).resource(), new ObjectKey(namespace, name));
  }

  /** All pods bound to a node, from an index. */
  public List<ObjectNode> podsOn(String node) {
    return parts.store().write(() -> parts.controllers().index().podsOn(node));
  }

  /**
   * Imports objects as they are, with UID and status, for example from another cluster; missing
   * namespaces are created. Simulated kubelets take over the nodes and running pods. Controllers
   * react only after all objects are imported. The given trees become part of the store.
   */
  public void load(Collection<ObjectNode> objects) {
    parts
        .store()
        .write(
            () -> {
              // kubelets adopt the pods, so their nodes must exist first
              objects.stream().filter(each -> isA(each, "Node")).forEach(this::load);
              objects.stream().filter(each -> !isA(each, "Node")).forEach(this::load);
              return true;
            });
  }

  private void load(ObjectNode object) {
    ResourceType type = typeOf(object);
    String namespace = JsonTrees.text(object, "metadata", "namespace");
    if (!namespace.isEmpty() && find("Namespace", "", namespace) == null) {
      parts.createNamespace(namespace);
    }
    parts.registry().restore(type, adopted(object));
  }

  private ObjectNode adopted(ObjectNode object) {
    if (isA(object, "Node")) {
      adoption.adoptNode(object);
    } else if (isA(object, "Pod")) {
      ObjectNode node = find("Node", "", JsonTrees.text(object, "spec", "nodeName"));
      if (node != null) {
        parts.registry().identify(object);
        adoption.adoptPod(object, node);
      }
    }
    return object;
  }

  private static boolean isA(ObjectNode object, String kind) {
    return JsonTrees.text(object, "kind").equals(kind)
        && JsonTrees.text(object, "apiVersion").equals("v1");
  }

  /** Adds nodes of one kind, spread over three zones, named by the prefix and 1, 2, 3... */
  public List<String> addNodes(int count, String prefix, NodeTemplate template) {
    return parts.store().write(() -> controllers.kubelets().register(count, prefix, template));
  }

  /** Counts of the controllers' actions so far. */
  public Effort effort() {
    return controllers.effort();
  }

  /** How many items controllers processed, and how many nodes the scheduler examined. */
  public record Effort(long looks, long nodeChecks) {}

  /** Serves the cluster over HTTP on a free loopback port until it is closed. */
  public URI serve() throws IOException {
    HttpFront serving = front;
    if (serving == null) {
      serving = new HttpFront(parts.calls());
      front = serving;
    }
    return serving.uri();
  }

  /**
   * A transport for clients in this process.
   *
   * @param time the client's time: the cluster's own, see {@link #time}
   * @param watchDelay how long after a change a watch delivers it
   */
  public Transport transport(TimeSource time, Supplier<Duration> watchDelay) {
    return transport(time, watchDelay, "");
  }

  /**
   * The same.
   *
   * @param user who the client is; may be empty
   */
  public Transport transport(TimeSource time, Supplier<Duration> watchDelay, String user) {
    return new LocalTransport(parts.calls(), parts.store(), time, watchDelay, user);
  }

  /** The cluster's time, for clients that run in the same time. */
  public TimeSource time() {
    return stepped == null ? TimeSource.REAL : stepped;
  }

  /** A kubeconfig for any client; starts the HTTP server if it is not running. */
  public String kubeconfig() throws IOException {
    return SimulatedApiServer.kubeconfig(serve());
  }

  private ResourceType typeOf(ObjectNode object) {
    String apiVersion = JsonTrees.text(object, "apiVersion");
    String kind = JsonTrees.text(object, "kind");
    ResourceType type = parts.registry().types().ofKind(apiVersion, kind);
    if (type == null) {
      throw new IllegalArgumentException("No such type: %s in %s".formatted(kind, apiVersion));
    }
    return type;
  }

  private ResourceType typeOf(String kind) {
    ResourceType known = builtIn.get(kind);
    if (known != null) {
      return known;
    }
    ResourceType found =
        parts.registry().types().all().stream()
            .filter(type -> type.names().kind().equals(kind))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No such resource: " + kind));
    if (!found.rules().isCustom()) {
      builtIn.put(kind, found);
    }
    return found;
  }

  private String path(String kind, String namespace, String name) {
    return path(typeOf(kind), namespace, name);
  }

  private static String path(ResourceType type, String namespace, String name) {
    return (type.group().isEmpty() ? "/api/" : "/apis/")
        + type.apiVersion()
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + type.names().plural()
        + (name.isEmpty() ? "" : "/" + name);
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
    }
    parts.store().close();
    if (front != null) {
      front.close();
    }
  }
}
