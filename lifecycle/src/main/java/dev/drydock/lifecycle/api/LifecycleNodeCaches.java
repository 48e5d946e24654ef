package dev.drydock.lifecycle.api;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.lifecycle.decide.TransitionFacts;
import java.time.Duration;
import java.util.ArrayList;
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
 * All that concerns the transitions of one node, kept up to date by watches: the Node, its
 * LifecycleEvents and all LifecycleTransitions, in each group that the cluster serves.
 */
public final class LifecycleNodeCaches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleNodeCaches.class);

  /** A group may come later; every node of a cluster asks. */
  private static final Backoff PATIENT = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final KubeHttp http;
  private final Watch<LifecycleNodeObject> node;
  private final List<Group> groups = new ArrayList<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  public LifecycleNodeCaches(KubeHttp http, String nodeName) {
    this.http = http;
    node =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(LifecyclePaths.nodeAlone(nodeName), LifecycleNodeObject::read),
                Watch.Listener.waking(this::tell),
                Backoff.USUAL);
    LifecycleNames.GROUPS.forEach(group -> groups.add(new Group(group, nodeName)));
  }

  /** Told after each change, on any thread, until what is returned is run. */
  public Runnable onChange(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  public void start() {
    node.start();
    groups.forEach(Group::start);
  }

  private void tell() {
    listeners.forEach(Runnable::run);
  }

  /** Why not everything is known at present. */
  public Optional<String> unsynced() {
    Optional<String> unknown = node.state().unsynced();
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
    private final Watch<TransitionFacts> transitions;
    private volatile ApiGroupAvailability availability =
        new ApiGroupAvailability.Unknown("not asked yet");

    Group(String name, String nodeName) {
      this.name = name;
      events =
          new Kube(http, TimeSource.REAL)
              .watches()
              .of(
                  Watch.Kind.of(
                      LifecyclePaths.eventsOf(name, nodeName),
                      event -> LifecycleEventObject.read(name, event)),
                  Watch.Listener.waking(this::changed),
                  PATIENT);
      transitions =
          new Kube(http, TimeSource.REAL)
              .watches()
              .of(
                  Watch.Kind.of(
                      LifecyclePaths.transitions(name), each -> TransitionReader.read(name, each)),
                  Watch.Listener.waking(this::changed),
                  PATIENT);
    }

    void start() {
      events.start();
      transitions.start();
    }

    boolean isSynced() {
      return unsyncedKind().isEmpty();
    }

    private Optional<String> unsyncedKind() {
      return events.state().unsynced().or(() -> transitions.state().unsynced());
    }

    /** A group that is not served, or no longer: what was known of it means nothing. */
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
        // who tells of changes must not wait for a request
        Thread.ofVirtual().name("discovery of " + name).start(this::ask);
      }
      tell();
    }

    private void ask() {
      ApiGroupAvailability now = ApiGroupAvailability.of(http, name);
      if (!now.equals(availability) && !isSynced()) {
        availability = now;
        LOG.info("{}", now.words(name));
        tell();
      }
    }

    void close() {
      events.close();
      transitions.close();
    }
  }
}
