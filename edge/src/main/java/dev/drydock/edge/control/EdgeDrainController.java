package dev.drydock.edge.control;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.edge.decide.ApiResult;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDecider;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.EdgeInput;
import dev.drydock.edge.decide.EdgeSettings;
import dev.drydock.edge.decide.EdgeStep;
import dev.drydock.edge.decide.ForcedStatus;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.record.StoredDrain;
import dev.drydock.kube.Kube;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries a drain out: decides, stores, publishes, asks the API server, lets the engine drain. Used
 * by the agent's loop alone; answers arrive in queues.
 */
final class EdgeDrainController implements AutoCloseable {
  /** More steps without waiting are a bug. */
  private static final int MOST_STEPS = 50;

  private final EdgeAgentSettings settings;
  private final Kube kube;
  private final DrainEngine engine;
  private final EdgeFiles files;
  private final StatusFiles status;
  private final EdgeJournal journal;
  private final EdgeApi api;
  private final EdgeDrainTurn turn;
  private final Runnable wake;
  private final Queue<ApiResult> results = new ConcurrentLinkedQueue<>();
  private final String bootId;
  private final ClockJumps clock;
  private boolean asking;
  private boolean askedInTurn;
  private @Nullable EdgeDrainAttempt attempt;
  private volatile StoredDrain stored;
  private volatile List<String> aboutStorage = List.of();

  EdgeDrainController(EdgeContext context, EdgeDrainTurn turn, EdgeApi api, Runnable wake) {
    settings = context.settings();
    kube = context.kube();
    engine = context.engine();
    files = context.files();
    journal = context.journal();
    status = new StatusFiles(context);
    bootId = context.bootId();
    clock = new ClockJumps(kube.time().now(), kube.time().elapsed());
    this.turn = turn;
    this.api = api;
    this.wake = wake;
    stored =
        files
            .drain(bootId)
            .orElseGet(
                () -> new StoredDrain(EdgeDrain.atStart(kube.time().now()), bootId, Map.of()));
  }

  EdgeDrain drain() {
    return stored.drain();
  }

  Map<DrainRequester, NodeDrainRequest> ownRequests() {
    return stored.published();
  }

  /** Remembers which requests are ours to withdraw; before they are published. */
  void own(Map<DrainRequester, NodeDrainRequest> requests) {
    if (!requests.equals(stored.published())) {
      store(new StoredDrain(stored.drain(), bootId, requests));
    }
  }

  /**
   * Goes as far as it can.
   *
   * @return when to look again
   */
  Instant proceed(
      ClusterMembership membership, boolean operationDeferred, EdgeSettings forNextDrain) {
    followClock();
    Map<DrainRequester, NodeDrainRequest> requests = files.requests();
    Optional<ApiResult> result = Optional.ofNullable(results.poll());
    asking = asking && result.isEmpty();
    for (int i = 0; i < MOST_STEPS; i++) {
      Optional<ForcedStatus> force = files.force();
      EdgeInput input =
          new EdgeInput(
              membership.clustered(),
              requests,
              force,
              asking,
              result,
              Optional.ofNullable(attempt).map(EdgeDrainAttempt::view),
              files.isFaultInjected(),
              operationDeferred,
              files.isCancelled(),
              forNextDrain,
              settings.turns(),
              turn.isOurs() && !askedInTurn,
              settings.keepsCordon());
      EdgeStep step = EdgeDecider.decide(stored.drain(), input, kube.time().now());
      if (!(step instanceof EdgeStep.CancelAttempt)) {
        result = Optional.empty();
      }
      if (perform(step, requests, force) instanceof EdgeStep.Wait(Instant until)) {
        status.publish(stored.drain(), requests, waits());
        return until;
      }
    }
    throw new IllegalStateException("the drain does not come to rest: " + stored.drain());
  }

  /**
   * A machine without a battery learns the time after its boot. What the drain waits for becomes
   * neither shorter nor longer by that.
   */
  private void followClock() {
    Duration jump = clock.jump(kube.time().now(), kube.time().elapsed());
    if (!jump.isZero() && stored.drain().isActive()) {
      journal.line("the clock was set by %d s".formatted(jump.toSeconds()));
      store(new StoredDrain(stored.drain().shifted(jump), bootId, stored.published()));
    }
  }

  /** Returns the step, or the wait that it leads to. */
  private EdgeStep perform(
      EdgeStep step, Map<DrainRequester, NodeDrainRequest> requests, Optional<ForcedStatus> force) {
    switch (step) {
      case EdgeStep.Become become -> become(become, requests, force);
      case EdgeStep.Ask ask -> {
        asking = true;
        askedInTurn = turn.isOurs();
        api.ask(
            ask.action(),
            reason(),
            answer -> {
              results.add(answer);
              wake.run();
            });
        return new EdgeStep.Wait(Instant.MAX);
      }
      case EdgeStep.StartAttempt start ->
          attempt =
              new EdgeDrainAttempt(
                  engine,
                  new EdgeDrainAttempt.Task(
                      api.cordonedName(), settings.holder(), reason(), settings.skipWait()),
                  start.deadline(),
                  journal,
                  wake);
      case EdgeStep.CancelAttempt _ -> endAttempt();
      case EdgeStep.Wait _ -> {}
    }
    return step;
  }

  private void endAttempt() {
    if (attempt != null) {
      attempt.cancel();
      attempt = null;
    }
  }

  /**
   * The log first, because it may repeat itself and must not be silent; then the memory, then what
   * others read. A process that dies in between does the rest at its next start.
   */
  private void become(
      EdgeStep.Become become,
      Map<DrainRequester, NodeDrainRequest> requests,
      Optional<ForcedStatus> force) {
    EdgeDrain before = stored.drain();
    become.lines().forEach(journal::line);
    journal.changed(before, become.next());
    store(new StoredDrain(become.next(), bootId, stored.published()));
    if (become.next().phase() != EdgeDrain.Phase.DRAINING) {
      endAttempt();
    }
    turn.want(settings.turns() && become.next().phase() == EdgeDrain.Phase.CORDONING);
    status.publish(become.next(), requests, waits());
    if (become.takesForce()) {
      force.ifPresent(files::removeForce);
    }
    if (become.takesCancel()) {
      files.removeCancel();
    }
    status.ended(before, become.next());
  }

  private void store(StoredDrain next) {
    files.store(next);
    stored = next;
  }

  private String reason() {
    return stored.drain().served().values().stream()
        .map(request -> "before " + request.context())
        .sorted()
        .reduce((one, other) -> one + ", " + other)
        .orElse("drain at the edge");
  }

  /** What the drain waits for, for people. */
  List<String> waits() {
    EdgeDrain drain = stored.drain();
    if (attempt != null && !attempt.waits().isEmpty()) {
      List<String> all = new ArrayList<>(attempt.waits());
      all.addAll(aboutStorage);
      return all;
    }
    return drain.message().isEmpty() ? List.of() : List.of(drain.message());
  }

  /** Pods of Longhorn that a budget keeps here. */
  List<String> blockedInstanceManagers() {
    return attempt == null ? List.of() : attempt.blockedInstanceManagers();
  }

  /** What storage says about the drain, for people. */
  void explainStorage(List<String> lines) {
    aboutStorage = lines;
  }

  @Override
  public void close() {
    attempt = null; // it ends with the engine, and can be continued
  }
}
