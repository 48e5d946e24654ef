package dev.drydock.drain.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.decide.Hold;
import dev.drydock.drain.decide.Holds;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The holds on Nodes. Holds and cordon change in one patch that is refused if the Node changed
 * since it was read; then it is read again. Whoever is concerned is told by an Event.
 */
public final class NodeHolds {
  private static final int TRIES = 20;

  private final KubeHttp http;
  private final Clock clock;
  private final NodeEvents events;
  private final NodeConditions conditions;

  /** A node after a change, as the server returned it. */
  record Changed(JsonNode object, NodeSeen node, List<Holds.Notice> notices) {}

  NodeHolds(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
    events = new NodeEvents(http, clock);
    conditions = new NodeConditions(http, clock);
  }

  /** Who keeps the node out of service now. */
  public Holds read(String node) {
    return NodeSeen.read(get(node)).holds();
  }

  /** Holds by node, and one line for each node whose holds cannot be read. */
  public record Listing(NavigableMap<String, Holds> byNode, List<String> problems) {}

  /** Of every node that is cordoned or held. */
  public Listing readAll() {
    List<JsonNode> objects = new ArrayList<>();
    var _ = http.list(Paths.ALL_NODES, objects::add).orThrow("list of nodes");
    return listing(objects);
  }

  /** Of these nodes, as far as they are cordoned or held. */
  public Listing readAll(List<String> nodes) {
    return listing(nodes.stream().map(this::get).toList());
  }

  private static Listing listing(List<JsonNode> objects) {
    Listing listing = new Listing(new TreeMap<>(), new ArrayList<>());
    for (JsonNode object : objects) {
      NodeSeen node = NodeSeen.read(object);
      try {
        Holds holds = node.holds();
        if (holds.unschedulable() || !holds.byHolder().isEmpty()) {
          listing.byNode().put(node.name(), holds);
        }
      } catch (HoldsUnreadable unreadable) {
        listing.problems().add(String.valueOf(unreadable.getMessage()));
      }
    }
    return listing;
  }

  /** Cordons the node with a name and a reason; one's own hold keeps its time. */
  public Holds place(String node, Hold hold) {
    return tell(change(node, holds -> holds.place(hold)));
  }

  /** Takes one's own hold away; the last one to go makes the node schedulable. */
  public Holds release(String node, String holder) {
    return tell(change(node, holds -> holds.release(holder)));
  }

  /** A person's word: the node is schedulable, whoever holds it. */
  public Holds releaseEverything(String node) {
    return tell(change(node, Holds::releaseEverything));
  }

  /** Drops the holds of a node that a person has uncordoned. */
  public Holds observe(String node) {
    return tell(change(node, Holds::observe));
  }

  /** Takes away holds whose time is over. */
  public Holds expire(String node) {
    return tell(change(node, holds -> holds.expire(clock.instant())));
  }

  /** Writes a change if there is one; telling about it is left to the caller. */
  Changed change(String name, Function<Holds, Holds.Change> operation) {
    for (int i = 0; i < TRIES; i++) {
      JsonNode object = get(name);
      NodeSeen node = NodeSeen.read(object);
      Holds before = node.holds();
      Holds.Change change = operation.apply(before);
      if (change.holds().equals(before)) {
        return new Changed(object, node, List.of());
      }
      KubeAnswer answer =
          http.send(ApiCall.mergePatch(Paths.node(name), patch(node, change.holds())));
      if (answer.code() != HttpURLConnection.HTTP_CONFLICT) {
        JsonNode after = answer.orThrow("holds of node " + name);
        return new Changed(after, NodeSeen.read(after), change.notices());
      }
    }
    throw new ApiFailure(
        HttpURLConnection.HTTP_CONFLICT,
        "holds of node %s: it changed under our hands %d times; try again".formatted(name, TRIES));
  }

  /**
   * Events for what was changed; and a node that is back in service is no longer called drained.
   */
  Holds tell(Changed changed) {
    changed.notices().forEach(notice -> events.tell(changed.node(), notice));
    Holds holds = changed.node().holds();
    if (!changed.notices().isEmpty() && !holds.unschedulable()) {
      conditions.released(changed.node());
    }
    return holds;
  }

  private JsonNode get(String name) {
    return http.send(ApiCall.get(Paths.node(name))).orThrow("node " + name);
  }

  static String patch(NodeSeen node, Holds holds) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("resourceVersion", node.version());
    // In a merge patch null removes.
    metadata
        .putObject("annotations")
        .put(HoldsAnnotation.NAME, HoldsAnnotation.write(holds).orElse(null));
    ObjectNode spec = patch.putObject("spec");
    if (holds.unschedulable()) {
      spec.put("unschedulable", true);
    } else {
      spec.putNull("unschedulable");
    }
    return patch.toString();
  }

  /** For a drain that begins; the hold of an earlier try keeps its time. */
  Changed claim(String node, String holder, String reason, Instant now) {
    return change(node, holds -> holds.place(Hold.of(holder, reason, now)));
  }
}
