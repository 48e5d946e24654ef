package dev.drydock.lifecycle.claim;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Kube;
import dev.drydock.kube.StepObjects;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.OrphanedTransitions;
import dev.drydock.lifecycle.decide.TransitionFacts;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes transitions for one node alone whose driver does not come back, as {@link
 * OrphanedTransitions} says, from the start of a claimer to its end. Has a loop of its own, so that
 * a deletion that is refused holds up no event; nor does it hold up another deletion.
 */
final class TransitionCleanup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionCleanup.class);
  private static final String LOOP = "transition-cleanup";

  private final Kube kube;
  private final String node;
  private final LifecycleNodeCaches caches;
  private final Drivers drivers;
  private final ControlLoop loop;
  private final StepObjects turns;
  private final Map<String, Instant> passed = new HashMap<>();
  private Instant started = Instant.MAX;
  private Optional<Set<String>> atStart = Optional.empty();
  private boolean listed;
  private Runnable unsubscribe = () -> {};

  TransitionCleanup(Kube kube, String node, LifecycleNodeCaches caches, Drivers drivers) {
    this.kube = kube;
    this.node = node;
    this.caches = caches;
    this.drivers = drivers;
    loop = kube.loop(LOOP, node, this::step);
    turns = kube.stepObjects(LOOP);
  }

  void start() {
    // drivers that were gone before the start were another claimer's to clean up after
    drivers
        .known()
        .forEach(
            (driver, presence) ->
                presence.deregistered().ifPresent(since -> passed.put(driver, since)));
    started = kube.clock().instant();
    unsubscribe = caches.onChange(loop::wake);
    loop.wake();
  }

  void wake() {
    loop.wake();
  }

  private Instant step() {
    if (caches.unsynced().isPresent()) {
      return Instant.MAX;
    }
    if (!listed) {
      listed = true;
      atStart =
          Optional.of(
              caches.transitions().values().stream()
                  .map(TransitionFacts::uid)
                  .collect(Collectors.toSet()));
    }
    OrphanedTransitions orphaned = look();
    boolean allDeleted = true;
    for (TransitionFacts orphan : orphaned.due()) {
      allDeleted &= turns.run(orphan.ref().toString(), () -> delete(orphan));
    }
    if (allDeleted) {
      pass(orphaned);
    }
    return turns.done(orphaned.next().orElse(Instant.MAX));
  }

  /** The occasions that have led to deletions do so once. */
  private void pass(OrphanedTransitions orphaned) {
    Set<String> left = orphaned.deregistered();
    orphaned
        .drivers()
        .forEach(
            (driver, presence) -> {
              if (left.contains(driver)) {
                presence.deregistered().ifPresent(since -> passed.put(driver, since));
              }
            });
    if (orphaned.isStartOver()) {
      atStart = Optional.empty();
    }
  }

  private OrphanedTransitions look() {
    return new OrphanedTransitions(
        node,
        caches.transitions(),
        caches.events().stream().map(LifecycleEventObject::facts).toList(),
        drivers.known(),
        started,
        atStart,
        passed,
        kube.clock().instant());
  }

  private void delete(TransitionFacts orphan) {
    Delete.sameUid(
            LifecyclePaths.transitionKind(orphan.ref().group()), LifecyclePaths.identified(orphan))
        .send(kube.http());
    LOG.info(
        "deleted LifecycleTransition {}: its driver {} does not come back",
        orphan.ref(),
        orphan.driver());
  }

  @Override
  public void close() {
    unsubscribe.run();
    loop.close();
    turns.close();
  }
}
