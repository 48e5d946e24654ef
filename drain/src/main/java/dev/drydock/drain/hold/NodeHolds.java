package dev.drydock.drain.hold;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The holds on Nodes. Holds and cordon change in one patch that is refused if the Node changed
 * since it was read; then it is read again. Every change is recorded as an Event.
 */
public final class NodeHolds {
  private final KubeHttp http;
  private final Clock clock;
  private final DrainEvents events;
  private final DrainConditions conditions;
  private final Map<String, DrainNodeObject> remembered = new ConcurrentHashMap<>();

  /** A node after a change, as the server returned it. */
  public record Changed(DrainNodeObject node, List<Holds.Notice> notices) {
    /** Only what is, or is not, about new holds. */
    public Changed about(boolean newHolds) {
      return new Changed(
          node,
          notices.stream()
              .filter(notice -> (notice.what() == Holds.Notice.What.PLACED) == newHolds)
              .toList());
    }
  }

  public NodeHolds(Kube kube) {
    http = kube.http();
    clock = kube.clock();
    events = new DrainEvents(kube.events());
    conditions = new DrainConditions(kube);
  }

  /** Who keeps the node out of service now. */
  public Holds read(String node) {
    return get(node).holds();
  }

  /** The holds of several nodes, in this order. */
  public Map<String, Holds> read(List<String> nodes) {
    Map<String, Holds> found = new LinkedHashMap<>();
    nodes.forEach(node -> found.put(node, read(node)));
    return found;
  }

  /**
   * A node that was just read: the next change of its holds starts from that. For commands, which
   * drain at once what they read.
   */
  public void remember(DrainNodeObject node) {
    remembered.put(node.name(), node);
  }

  /** Holds by node, and one line for each node whose holds cannot be read. */
  public record Listing(NavigableMap<String, Holds> byNode, List<String> problems) {}

  /** The holds of every node that is cordoned or held. */
  public Listing readAll() {
    return listing(http.readAll("list of nodes", Resource.NODES.all(), DrainNodeObject::read));
  }

  /** The holds of these nodes, if they are cordoned or held. */
  public Listing readAll(List<String> nodes) {
    return listing(nodes.stream().map(this::get).toList());
  }

  private static Listing listing(List<DrainNodeObject> nodes) {
    Listing listing = new Listing(new TreeMap<>(), new ArrayList<>());
    for (DrainNodeObject node : nodes) {
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
    return record(change(node, holds -> holds.place(hold)));
  }

  /**
   * The same, if it is still due when the node has been read. If the reason ends after that read,
   * the node has changed and the patch fails, so no hold outlives its reason.
   */
  public Holds placeIf(BooleanSupplier due, String node, Hold hold) {
    return record(
        change(
            node,
            holds -> due.getAsBoolean() ? holds.place(hold) : new Holds.Change(holds, List.of())));
  }

  /** Adds a hold to a node that is out of service; one that is not is left alone. */
  public Holds join(String node, Hold hold) {
    return record(change(node, holds -> holds.join(hold)));
  }

  /** Takes one's own hold away; the last one to go makes the node schedulable. */
  public Holds release(String node, String holder) {
    return record(change(node, holds -> holds.release(holder)));
  }

  /** Releases the hold of an object by its UID, so that its namesakes keep theirs. */
  public Holds release(String node, String holder, String owner) {
    return record(change(node, holds -> holds.release(holder, owner)));
  }

  /** As {@link Holds#restart}. */
  public Holds restart(String node, String holder, String owner) {
    Instant now = clock.instant();
    return record(change(node, holds -> holds.restart(holder, owner, now)));
  }

  /** As {@link Holds#work}. */
  public Holds work(String node, String holder, String owner, Hold.Work work) {
    return record(change(node, holds -> holds.work(holder, owner, work)));
  }

  /** As {@link Holds#disown}. */
  public Holds disown(String node, Hold hold) {
    return record(change(node, holds -> holds.disown(hold)));
  }

  /** As {@link Holds#endOrphans}, in one patch. */
  public Holds endOrphans(String node, List<Hold> released, List<Hold> outliving) {
    return record(change(node, holds -> holds.endOrphans(released, outliving)));
  }

  /**
   * As {@link Holds#releaseWithCordon}: also a cordon from outside goes, but not the holds of
   * others.
   */
  public Holds releaseWithCordon(String node, String holder) {
    return record(change(node, holds -> holds.releaseWithCordon(holder)));
  }

  /** Makes the node schedulable regardless of holds. */
  public Holds releaseEverything(String node) {
    return record(change(node, Holds::releaseEverything));
  }

  /** Drops the holds of a node that a person has uncordoned. */
  public Holds observe(String node) {
    return record(change(node, Holds::observe));
  }

  /** Takes away holds whose time is over. */
  public Holds expire(String node) {
    return record(change(node, holds -> holds.expire(clock.instant())));
  }

  /** Writes a change if there is one; telling about it is left to the caller. */
  public Changed change(String name, Function<Holds, Holds.Change> operation) {
    return Patch.retrying("holds of node " + name, () -> tryChange(name, operation));
  }

  /**
   * A node after an edit, as the server returned it.
   *
   * @param changed for {@link #record}
   */
  public record Edited(JsonNode node, Changed changed) {}

  /**
   * Writes a change of the holds, if it makes one, and beside it what a feature owns on the node:
   * its labels, annotations and taints. All in one patch, so that no crash separates them.
   *
   * @param node as it was read
   * @param beside adds to the patch
   * @return empty if the node was changed since it was read
   * @throws HoldsUnreadable when the annotation is not what Drydock writes, or it is full
   */
  public Optional<Edited> tryEdit(
      JsonNode node, Function<Holds, Holds.Change> operation, Consumer<Patch> beside) {
    DrainNodeObject seen = DrainNodeObject.read(node);
    Holds.Change change = operation.apply(seen.holds());
    Patch patch = patch(seen, checked(seen.name(), change.holds()));
    beside.accept(patch);
    return patch
        .sendUnlessConflict(http)
        .map(
            after -> new Edited(after, new Changed(DrainNodeObject.read(after), change.notices())));
  }

  private static Holds checked(String node, Holds holds) {
    if (holds.byHolder().size() > Holds.MOST) {
      throw HoldsUnreadable.full(node);
    }
    return holds;
  }

  /** Empty if the node has to be read again. */
  private Optional<Changed> tryChange(String name, Function<Holds, Holds.Change> operation) {
    DrainNodeObject known = remembered.remove(name);
    DrainNodeObject node = known == null ? get(name) : known;
    Holds before = node.holds();
    Holds.Change change = operation.apply(before);
    if (change.holds().equals(before)) {
      // that nothing is to be done must be true now
      return known == null ? Optional.of(new Changed(node, List.of())) : Optional.empty();
    }
    return patch(node, checked(name, change.holds()))
        .sendUnlessConflict(http)
        .map(after -> new Changed(DrainNodeObject.read(after), change.notices()));
  }

  /**
   * Events for what was changed; and a node that is back in service is no longer called drained.
   */
  public Holds record(Changed changed) {
    events.record(changed.node(), changed.notices());
    Holds holds = changed.node().holds();
    if (!changed.notices().isEmpty() && !holds.unschedulable()) {
      conditions.released(changed.node());
    }
    return holds;
  }

  public DrainNodeObject get(String name) {
    return DrainNodeObject.read(
        http.send(ApiCall.get(Resource.NODES.path("", name))).orThrow("node " + name));
  }

  private static Patch patch(DrainNodeObject node, Holds holds) {
    return Patch.ifUnchanged(Resource.NODES, node.object())
        .annotation(HoldsAnnotation.NAME, HoldsAnnotation.write(holds).orElse(null))
        .spec(spec -> spec.put("unschedulable", holds.unschedulable() ? true : null));
  }

  /** For a drain that begins; the hold of an earlier try keeps its time. */
  public Changed claim(String node, Hold hold) {
    return change(node, holds -> holds.claim(hold));
  }
}
