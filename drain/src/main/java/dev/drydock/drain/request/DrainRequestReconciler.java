package dev.drydock.drain.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.DrainRun;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.EarlierDrain;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.request.decide.DrainRequestDecider;
import dev.drydock.drain.request.decide.DrainRequestEnd;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.drain.request.decide.DrainRequestReport;
import dev.drydock.drain.request.decide.DrainRequestReport.Reason;
import dev.drydock.drain.request.decide.DrainRequestStep;
import dev.drydock.drain.request.decide.PodCount;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.EventRecorder.Occurrence;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Resource;
import dev.drydock.kube.ServedCondition;
import dev.drydock.kube.ServedCondition.Waiting;
import dev.drydock.kube.Source;
import dev.drydock.kube.TryAgain;
import dev.drydock.kube.Watch;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles one DrainRequest on every change until it is gone. */
final class DrainRequestReconciler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(DrainRequestReconciler.class);

  /** Progress is written at most this often; a change of the condition is written at once. */
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  /** At its start every drain has not observed its node yet; what lasts longer is reported. */
  private static final Duration BLIND_AT_MOST = Duration.ofSeconds(5);

  private static final Occurrence WAITING = new Occurrence(true, "WaitingForDrainer", "Drain");

  private final Kube kube;
  private final DrainEngine engine;
  private final ServedRequests serves;
  private final DrainRequestWriter writer;
  private final Supplier<Watch.State<DrainRequestObject>> watched;
  private final Runnable wake;
  private final Latest<DrainRequestObject> latest = new Latest<>();
  private @Nullable DrainRequestObject last;
  private @Nullable RequestDrain drain;
  private @Nullable DrainRequestReport written;
  private Duration writtenAt = BETWEEN_WRITES.negated();
  private long begunHere = -1;
  private volatile boolean closed;

  /** What all requests are served with. */
  record Context(DrainEngine engine, ServedRequests serves) {}

  /** What is reported if a part of the node is still not observed after a while. */
  private record Blind(DrainRequestReport report, Duration since) {}

  /** A drain of the request's node, for one generation of its spec. */
  private final class RequestDrain implements DrainListener {
    private final DrainRequestFacts request;
    private final boolean continued;
    private final DrainRun run;
    private PodCount before;
    private volatile DrainRequestReport latest;
    private volatile Optional<Blind> blind = Optional.empty();

    RequestDrain(DrainRequestFacts request, DrainPolicy policy, boolean continued) {
      this.request = request;
      this.continued = continued;
      // What an earlier process saw go, this one cannot count.
      before = continued ? request.counted() : PodCount.NONE;
      latest = DrainRequestReport.begun(before);
      DrainTask task =
          DrainTask.of(request.spec().nodeName(), request.holder(), reason(request), policy)
              .ownedBy(request.uid())
              .after(continued ? request.earlier() : EarlierDrain.NONE)
              .patiently();
      run = engine.start(task, this);
      var _ = run.outcome().thenRun(wake);
    }

    DrainRequestDecider.Running running() {
      return new DrainRequestDecider.Running(request.generation(), request.spec().nodeName());
    }

    @Override
    public void changed(DrainReport report) {
      Decision decision = report.decision();
      if (decision.isBlind()) {
        Duration since = blind.map(Blind::since).orElseGet(kube.time()::elapsed);
        blind = Optional.of(new Blind(latest.then(decision, before.gone()), since));
      } else {
        before = before.seen(decision.progress());
        latest = latest.then(decision, before.gone());
        blind = Optional.empty();
      }
      wake.run();
    }

    /** Cancels the run. Returns whether it has ended; otherwise its end wakes the loop. */
    boolean cancel() {
      if (!run.outcome().isDone()) {
        run.cancel();
      }
      return run.outcome().isDone();
    }
  }

  /**
   * @param watched what the watch says about this request alone
   */
  DrainRequestReconciler(
      Context context, Supplier<Watch.State<DrainRequestObject>> watched, Runnable wake) {
    engine = context.engine();
    kube = engine.kube();
    serves = context.serves();
    this.watched = watched;
    this.wake = wake;
    writer = new DrainRequestWriter(kube);
  }

  @Override
  public Optional<Instant> step() {
    Watch.State<DrainRequestObject> state = watched.get();
    Optional<DrainRequestObject> seen = latest.of(state.items()).stream().findFirst();
    if (seen.isPresent()) {
      last = seen.get();
      return Optional.of(act(seen.get()));
    }
    DrainRequestObject gone = last;
    if (gone == null) {
      return Optional.empty();
    }
    if (state.unsynced().isPresent() || !endDrain()) {
      return Optional.of(Instant.MAX);
    }
    if (state.unreadable().containsKey(gone.toString())) {
      // It may be deleted, so nothing more is evicted for it; its node stays held.
      begunHere = -1;
      return Optional.of(Instant.MAX);
    }
    release(gone.facts());
    return Optional.empty();
  }

  /** When to look again if nothing happens. */
  private Instant act(DrainRequestObject seen) {
    DrainRequestFacts request = seen.facts();
    Optional<DrainRequestDecider.Running> running =
        Optional.ofNullable(drain).map(RequestDrain::running);
    return switch (DrainRequestDecider.decide(request, serves, running, now())) {
      case DrainRequestStep.Leave(Instant until) -> {
        drain = null;
        yield until;
      }
      case DrainRequestStep.SayWaiting(String why) -> {
        LOG.warn("DrainRequest {} waits for its drainer: {}", seen, why);
        kube.events().record(seen.object().regarding(DrainRequestObject.RESOURCE), WAITING, why);
        yield sayServed(seen, Optional.of(new Waiting(WAITING.reason(), why)));
      }
      case DrainRequestStep.SayServed() -> sayServed(seen, Optional.empty());
      case DrainRequestStep.Claim(List<String> finalizers) -> {
        latest.wrote(writer.finalizers(seen, finalizers));
        LOG.info("serving DrainRequest {} for node {}", seen, request.spec().nodeName());
        yield now();
      }
      case DrainRequestStep.Reject(String why) ->
          write(seen, DrainRequestReport.of(Reason.InvalidRequest, why));
      case DrainRequestStep.Release(List<String> finalizers) -> {
        if (endDrain()) {
          releaseOrSay(seen);
          latest.wrote(writer.finalizers(seen, finalizers));
          LOG.info("DrainRequest {}: hold on node {} released", seen, request.spec().nodeName());
        }
        yield Instant.MAX;
      }
      case DrainRequestStep.EndDrain(boolean release) -> endEarlier(release);
      case DrainRequestStep.Drain(DrainPolicy policy) -> drain(seen, policy);
    };
  }

  private Instant now() {
    return kube.clock().instant();
  }

  /** A condition that cannot be written is tried again with the next change. */
  private Instant sayServed(DrainRequestObject seen, Optional<Waiting> waiting) {
    Optional<JsonNode> written =
        ServedCondition.write(
            kube.http(), DrainRequestObject.RESOURCE, seen.object(), waiting, now());
    written.map(DrainRequestObject::read).ifPresent(latest::wrote);
    return written.isPresent() ? now() : Instant.MAX;
  }

  /** Cancels a running drain. Returns whether none is left; otherwise its end wakes the loop. */
  private boolean endDrain() {
    if (drain == null || drain.cancel()) {
      drain = null;
      return true;
    }
    return false;
  }

  private Instant endEarlier(boolean release) {
    RequestDrain earlier = Objects.requireNonNull(drain);
    if (!earlier.cancel()) {
      return Instant.MAX;
    }
    if (release) {
      release(earlier.request);
    }
    drain = null;
    return now();
  }

  private Instant drain(DrainRequestObject seen, DrainPolicy policy) {
    DrainRequestFacts request = seen.facts();
    RequestDrain now = drain;
    if (now == null) {
      if (!request.hasBegun()) {
        return begin(seen);
      }
      now = new RequestDrain(request, policy, begunHere != request.generation());
      drain = now;
      LOG.info("DrainRequest {}: draining node {}", seen, request.spec().nodeName());
    }
    DrainOutcome outcome = now.run.outcome().getNow(null);
    if (outcome == null) {
      return report(seen, now);
    }
    // A drain that ended because this process ends continues in the next one.
    return closed ? Instant.MAX : end(seen, now, outcome);
  }

  private Instant report(DrainRequestObject seen, RequestDrain now) {
    Optional<Blind> blind = now.blind;
    if (blind.isEmpty()) {
      return write(seen, now.latest);
    }
    Duration wait = blind.get().since().plus(BLIND_AT_MOST).minus(kube.time().elapsed());
    return wait.isPositive() ? now().plus(wait) : write(seen, blind.get().report());
  }

  @Override
  public void close() {
    closed = true;
  }

  /**
   * Writes the start first: a process that takes over must know that pods may be gone already. The
   * times of a changed spec count from now, not from the hold that an earlier spec placed.
   */
  private Instant begin(DrainRequestObject seen) {
    DrainRequestFacts request = seen.facts();
    if (request.isChanged()) {
      restart(request);
    }
    begunHere = request.generation();
    DrainRequestReport begun = DrainRequestReport.begun(PodCount.NONE);
    writeNow(seen, begun);
    return now();
  }

  private void restart(DrainRequestFacts request) {
    try {
      onNode(
          () -> engine.holds().restart(request.spec().nodeName(), request.holder(), request.uid()));
    } catch (HoldsUnreadable unreadable) {
      // The drain that begins now says so, and waits.
      LOG.debug("node {}", request.spec().nodeName(), unreadable);
    }
  }

  private Instant end(DrainRequestObject seen, RequestDrain over, DrainOutcome outcome) {
    DrainRequestEnd.NodeLeft node =
        DrainRequestEnd.dependsOnNode(outcome)
            ? left(outcome.node())
            : DrainRequestEnd.NodeLeft.THERE;
    Optional<DrainRequestReport> report =
        DrainRequestEnd.report(outcome, over.latest, over.continued, node);
    if (report.isEmpty()) {
      drain = null;
      throw new TryAgain("node " + outcome.node() + " is gone, but not all of its pods");
    }
    LOG.info("DrainRequest {}: {}: {}", seen, report.get().reason(), report.get().message());
    return write(seen, report.get());
  }

  private DrainRequestEnd.NodeLeft left(String node) {
    if (kube.http().find(Resource.NODES, "", node).isPresent()) {
      return DrainRequestEnd.NodeLeft.THERE;
    }
    boolean empty =
        kube.http().readAll("pods of node " + node, Source.podsOn(node), _ -> true).isEmpty();
    return empty ? DrainRequestEnd.NodeLeft.NOTHING : DrainRequestEnd.NodeLeft.ITS_PODS;
  }

  /** Returns the time of the next write; {@link Instant#MAX} if nothing is left to write. */
  private Instant write(DrainRequestObject seen, DrainRequestReport report) {
    DrainRequestReport before = written;
    if (report.equals(before)) {
      return Instant.MAX;
    }
    if (before != null && before.reason() == report.reason()) {
      Duration left = writtenAt.plus(BETWEEN_WRITES).minus(kube.time().elapsed());
      if (left.isPositive()) {
        return now().plus(left);
      }
    }
    writeNow(seen, report);
    return Instant.MAX;
  }

  private void writeNow(DrainRequestObject seen, DrainRequestReport report) {
    Duration now = kube.time().elapsed();
    latest.wrote(writer.status(seen, report));
    written = report;
    writtenAt = now;
  }

  private void releaseOrSay(DrainRequestObject seen) {
    try {
      release(seen.facts());
    } catch (HoldsUnreadable unreadable) {
      var _ = write(seen, DrainRequestReport.of(Reason.ReleaseBlocked, unreadable.getMessage()));
      throw unreadable;
    }
  }

  private void release(DrainRequestFacts request) {
    onNode(
        () -> engine.holds().release(request.spec().nodeName(), request.holder(), request.uid()));
  }

  private static void onNode(Supplier<Holds> change) {
    try {
      var _ = change.get();
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failure;
      }
      // the node is gone, and the hold with it
    }
  }

  private static String reason(DrainRequestFacts request) {
    String reason = request.spec().reason();
    String check = request.spec().checkName();
    return Objects.requireNonNullElse(
        reason == null || reason.isBlank() ? check : reason, "asked for by a DrainRequest");
  }
}
