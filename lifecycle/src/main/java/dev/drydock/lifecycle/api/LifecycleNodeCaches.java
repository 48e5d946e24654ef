package dev.drydock.lifecycle.api;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.lifecycle.decide.TransitionFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches of the objects that matter for the transitions of one node: the Node, its LifecycleEvents
 * and all LifecycleTransitions, in each group that the cluster serves.
 */
public final class LifecycleNodeCaches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleNodeCaches.class);

  /** Slow, because a group may be installed later and every node asks. */
  static final Backoff SLOW_BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final Kube kube;
  private final String nodeName;
  private final Watch<LifecycleNodeObject> node;
  private final List<Group> groups;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  public LifecycleNodeCaches(Kube kube, String nodeName) {
    this.kube = kube;
    this.nodeName = nodeName;
    node =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.named(nodeName), LifecycleNodeObject::read),
                Watch.Listener.waking(this::notifyListeners));
    groups = LifecycleNames.GROUPS.stream().map(Group::new).toList();
  }

  /** The listener runs after each change, on any thread, until the returned Runnable is run. */
  public Runnable onChange(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  public void start() {
    node.start();
    groups.forEach(Group::start);
  }

  private void notifyListeners() {
    listeners.forEach(Runnable::run);
  }

  /** Why not everything is known at present. */
  public Optional<String> unsynced() {
    Watch.State<LifecycleNodeObject> seen = node.state();
    Optional<String> unknown =
        seen.unsynced()
            .or(
                () ->
                    Optional.ofNullable(seen.unreadable().get(nodeName))
                        .map(why -> "node %s cannot be read: %s".formatted(nodeName, why)));
    for (Group group : groups) {
      unknown = unknown.or(group::unsynced);
    }
    return unknown;
  }

  /** Empty if there is no such node, as long as everything is known. */
  public Optional<LifecycleNodeObject> node() {
    return node.state().items().stream().findFirst();
  }

  public List<LifecycleEventObject> events() {
    return groups.stream()
        .filter(group -> !group.isHidden())
        .flatMap(group -> group.events.state().items().stream())
        .toList();
  }

  /** Whether {@link #events} are all there are, whatever else is unknown. */
  public boolean areEventsKnown() {
    return groups.stream()
        .allMatch(group -> group.isHidden() || group.events.state().unsynced().isEmpty());
  }

  /** Transitions that are there but cannot be read. */
  public Set<LifecycleRef> unreadableTransitions() {
    Set<LifecycleRef> refs = new HashSet<>();
    for (Group group : groups) {
      group.transitions.state().unreadable().keySet().stream()
          .map(name -> new LifecycleRef(group.name, name))
          .forEach(refs::add);
    }
    return refs;
  }

  public Map<LifecycleRef, TransitionFacts> transitions() {
    Map<LifecycleRef, TransitionFacts> all = new HashMap<>();
    groups.stream()
        .filter(group -> !group.isHidden())
        .flatMap(group -> group.transitions.state().items().stream())
        .forEach(transition -> all.put(transition.ref(), transition));
    return all;
  }

  /** The groups in which LifecycleEvents can be made now. */
  public Set<String> served() {
    Set<String> served = new HashSet<>();
    groups.stream().filter(Group::isSynced).forEach(group -> served.add(group.name));
    return served;
  }

  @Override
  public void close() {
    node.close();
    groups.forEach(Group::close);
  }

  /** One API group; where it is not served, there is simply nothing. */
  private final class Group {
    private final String name;
    private final Watch<LifecycleEventObject> events;

    /** Reports events that cannot be read whole; what can be read of them is in the other one. */
    private final Watch<LifecycleEventObject> checked;

    private final Watch<TransitionFacts> transitions;
    private final ControlLoop discovery;
    private volatile ApiGroupAvailability availability =
        new ApiGroupAvailability.Unknown("not asked yet");

    Group(String name) {
      this.name = name;
      events =
          kube.watches()
              .of(
                  Watch.Kind.of(
                          LifecyclePaths.eventsOf(name, nodeName),
                          event -> LifecycleEventObject.read(name, event))
                      .ifServed(),
                  Watch.Listener.waking(this::changed),
                  SLOW_BACKOFF);
      checked =
          kube.watches()
              .of(
                  Watch.Kind.of(
                          LifecyclePaths.eventsOf(name, nodeName),
                          event -> LifecycleEventObject.check(name, event))
                      .ifServed(),
                  Watch.Listener.waking(() -> {}),
                  SLOW_BACKOFF);
      transitions =
          kube.watches()
              .of(
                  Watch.Kind.of(
                          LifecyclePaths.transitionKind(name).all(),
                          each -> TransitionReader.read(name, each))
                      .ifServed(),
                  Watch.Listener.waking(this::changed),
                  SLOW_BACKOFF);
      discovery = kube.loop("api-group-discovery", name, this::discover);
    }

    void start() {
      events.start();
      checked.start();
      transitions.start();
    }

    boolean isSynced() {
      return unsyncedKind().isEmpty();
    }

    private Optional<String> unsyncedKind() {
      return events.state().unsynced().or(() -> transitions.state().unsynced());
    }

    /** A group that is not served, or no longer: its last known objects are ignored. */
    boolean isHidden() {
      return !isSynced()
          && !availability.serves()
          && !(availability instanceof ApiGroupAvailability.Unknown);
    }

    Optional<String> unsynced() {
      return unsyncedKind().filter(_ -> !isHidden());
    }

    private void changed() {
      Optional<String> why = unsyncedKind();
      if (why.isEmpty() && !availability.serves()) {
        availability = new ApiGroupAvailability.ByDefinition();
        LOG.info("{} is served", name);
      } else if (why.filter(text -> !text.equals(Watch.NOT_LISTED)).isPresent()) {
        discovery.wake();
      }
      notifyListeners();
    }

    /** Runs again when a watch fails. */
    private Instant discover() {
      ApiGroupAvailability now = ApiGroupAvailability.of(kube.http(), name);
      if (!now.equals(availability) && !isSynced()) {
        availability = now;
        LOG.info("{}", now.words(name));
        notifyListeners();
      }
      return Instant.MAX;
    }

    void close() {
      discovery.close();
      events.close();
      checked.close();
      transitions.close();
    }
  }
}
