package dev.drydock.health.operator;

import dev.drydock.health.store.EventStore;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.StepObjects;
import dev.drydock.serve.feature.LeaderTerm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Works on stored events while its process leads: opens the event store, retried until that works,
 * then starts the workers, each for itself.
 */
final class StoreWorkers implements AutoCloseable {
  private static final String LOOP = "store-workers";

  /**
   * Works on stored events.
   *
   * @param name for people
   * @param start begins, with an open store; what it returns is closed before the store
   */
  record Worker(String name, Function<EventStore, AutoCloseable> start) {}

  private final SharedEventStore.Use shared;
  private final List<Worker> workers;
  private final ControlLoop loop;
  private final StepObjects turns;
  private final Set<Worker> started = new HashSet<>();
  private final List<AutoCloseable> running = new ArrayList<>();
  private boolean closed;
  private volatile @Nullable EventStore store;
  private volatile Optional<String> problem = Optional.of("the event store is not open yet");

  /**
   * @param part of the operator that works, for people
   * @param shared closed with the workers
   */
  StoreWorkers(Kube kube, String part, SharedEventStore.Use shared, List<Worker> workers) {
    this.shared = shared;
    this.workers = List.copyOf(workers);
    loop = kube.loop(LOOP, part, this::step);
    turns = kube.stepObjects(LOOP);
  }

  void start() {
    loop.wake();
  }

  /** Why nothing can be worked on at present, if so. */
  Optional<String> unready() {
    EventStore open = store;
    return open == null ? problem : open.unready();
  }

  private synchronized Instant step() {
    if (closed) {
      return Instant.MAX;
    }
    EventStore open;
    try {
      open = shared.get();
    } catch (ExpectedFailure failed) {
      problem = Optional.of(failed.getMessage());
      throw failed;
    }
    store = open;
    workers.stream()
        .filter(worker -> !started.contains(worker))
        .forEach(worker -> turns.run(worker.name(), () -> start(worker, open)));
    return turns.done(Instant.MAX);
  }

  private void start(Worker worker, EventStore open) {
    running.add(worker.start().apply(open));
    started.add(worker);
  }

  @Override
  public void close() {
    loop.close();
    synchronized (this) {
      closed = true;
      turns.close();
      running.reversed().forEach(each -> LeaderTerm.close(each.getClass(), each));
      running.clear();
      shared.close();
    }
  }
}
