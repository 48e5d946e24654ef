package dev.drydock.maintenance.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Source;
import dev.drydock.kube.WakeUp;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.command.MaintenanceProgress.Ending;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches maintenances of a namespace by name, from before they are created, so that no history
 * entry is missed. The last state is kept after deletion.
 */
final class MaintenanceWatcher implements AutoCloseable {
  /** Receives changes, on the following thread. */
  interface Listener {
    void news(List<String> lines);

    void ended(String name, Ending ending);
  }

  private final Set<String> names;
  private final WakeUp bell = new WakeUp();
  private final Watch<NotifyMaintenanceObject> watch;
  private final Map<String, NotifyMaintenanceObject> last = new ConcurrentHashMap<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();
  private final Map<String, NotifyMaintenanceObject> told = new ConcurrentHashMap<>();

  MaintenanceWatcher(Kube cluster, String collection, Set<String> names) {
    this.names = Set.copyOf(names);
    String query =
        names.size() == 1
            ? "fieldSelector=" + ApiCall.encode("metadata.name=" + names.iterator().next())
            : "";
    watch =
        cluster
            .watches()
            .of(
                Watch.Kind.of(
                    new Source(collection, query),
                    object -> {
                      NotifyMaintenanceObject seen = NotifyMaintenanceObject.read(object);
                      return names.contains(name(seen)) ? seen : null;
                    }),
                new Changes(),
                Backoff.USUAL);
  }

  private static String name(NotifyMaintenanceObject seen) {
    return seen.facts().identity().name();
  }

  /** Returns when later changes are certain to be seen. */
  void start() throws InterruptedException {
    watch.start();
    while (watch.state().unsynced().isPresent()) {
      failIfForbidden();
      var _ = bell.await(Duration.ofSeconds(1));
    }
  }

  private void failIfForbidden() {
    Watch.State<NotifyMaintenanceObject> state = watch.state();
    if (state.forbidden()) {
      throw new CommandFailure(
          "missing permission: cannot follow: %s; use --no-wait"
              .formatted(state.unsynced().orElse("")));
    }
  }

  /**
   * Reports changes until all have ended or the timeout has passed.
   *
   * @param pending names that have not ended; those that end are removed
   */
  void follow(Set<String> pending, Listener listener, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!pending.isEmpty()) {
      for (String name : List.copyOf(pending)) {
        look(name, listener).ifPresent(ending -> pending.remove(name));
      }
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (pending.isEmpty() || left.isNegative()) {
        return;
      }
      var _ = bell.await(left);
      failIfForbidden();
    }
  }

  private Optional<Ending> look(String name, Listener listener) {
    boolean isGone = gone.contains(name); // before the final message, which is printed first
    NotifyMaintenanceObject now = last.get(name);
    if (now == null) {
      return Optional.empty();
    }
    List<String> lines = MaintenanceProgress.news(told.put(name, now), now);
    if (!lines.isEmpty()) {
      listener.news(lines);
    }
    Optional<Ending> ending = MaintenanceProgress.ending(now, isGone);
    ending.ifPresent(how -> listener.ended(name, how));
    return ending;
  }

  /** What a maintenance waits for, if known. */
  String waitsFor(String name) {
    NotifyMaintenanceObject seen = last.get(name);
    return seen == null ? "" : MaintenanceProgress.waitsFor(seen);
  }

  /** Those that no operator has processed. */
  List<String> notServed(Set<String> pending) {
    return pending.stream()
        .filter(
            name -> {
              NotifyMaintenanceObject seen = last.get(name);
              return seen == null || (!seen.facts().finalizer() && !seen.facts().isOver());
            })
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    watch.close();
  }

  private final class Changes implements Watch.Listener<NotifyMaintenanceObject> {
    @Override
    public void changed(
        @Nullable NotifyMaintenanceObject before, @Nullable NotifyMaintenanceObject after) {
      if (after != null) {
        last.put(name(after), after);
        gone.remove(name(after));
      } else if (before != null) {
        gone.add(name(before));
      }
      bell.ring();
    }

    @Override
    public void refreshed() {
      Watch.State<NotifyMaintenanceObject> state = watch.state();
      if (state.unsynced().isEmpty()) {
        Set<String> there = new HashSet<>();
        for (NotifyMaintenanceObject seen : state.items()) {
          last.put(name(seen), seen);
          there.add(name(seen));
        }
        names.stream()
            .filter(name -> last.containsKey(name) && !there.contains(name))
            .forEach(gone::add);
      }
      bell.ring();
    }
  }
}
