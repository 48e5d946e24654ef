package dev.drydock.drain.kube;

import dev.drydock.drain.decide.Decision;
import dev.drydock.drain.decide.DrainPolicy;
import dev.drydock.drain.decide.DrainRequestDecider;
import dev.drydock.drain.decide.DrainRequestFacts;
import dev.drydock.drain.decide.DrainRequestReport;
import dev.drydock.drain.decide.DrainRequestReport.Reason;
import dev.drydock.drain.decide.DrainRequestStep;
import dev.drydock.drain.decide.PodCount;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.kube.WakeUp;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees one DrainRequest through: looks, decides and acts on every change, on a thread of its own,
 * until the request is gone.
 */
final class DrainRequestReconciler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DrainRequestReconciler.class);

  /** Progress is written no more often; a change of the condition is written at once. */
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final DrainEngine engine;
  private final DrainEngine.EngineContext context;
  private final DrainRequestWriter writer;
  private final Runnable whenGone;
  private final WakeUp bell = new WakeUp();
  private DrainRequestObject newest;
  private boolean gone;
  private volatile boolean closed;
  private @Nullable Service service;
  private @Nullable DrainRequestReport written;
  private Instant writtenAt = Instant.MIN;
  private long begunHere = -1;

  /** A drain of the request's node, for one generation of its spec. */
  private final class Service implements DrainListener {
    private final DrainRequestFacts request;
    private final boolean continued;
    private final DrainRun run;
    private PodCount before;
    private volatile DrainRequestReport latest;

    Service(DrainRequestFacts request, DrainPolicy policy, boolean continued) {
      this.request = request;
      this.continued = continued;
      // What an earlier process saw go, this one cannot count.
      before = continued ? request.counted() : PodCount.NONE;
      latest = DrainRequestReport.begun(before);
      DrainTask task =
          DrainTask.of(request.spec().nodeName(), request.holder(), reason(request), policy)
              .patiently();
      run = engine.start(task, this);
      var _ = run.outcome().thenRun(bell::ring);
    }

    @Override
    public void changed(DrainReport report) {
      Decision decision = report.decision();
      if (!decision.isBlind()) {
        before = before.seen(decision.progress());
      }
      latest = latest.then(decision, before.gone());
      bell.ring();
    }

    /** Ends it where it is. */
    void end() {
      run.cancel();
      var _ = run.outcome().join();
    }
  }

  DrainRequestReconciler(
      DrainRequestObject request,
      DrainEngine engine,
      DrainEngine.EngineContext context,
      Runnable whenGone) {
    this.newest = request;
    this.engine = engine;
    this.context = context;
    this.whenGone = whenGone;
    writer = new DrainRequestWriter(context.http(), context.clock());
  }

  void start() {
    Thread.ofVirtual().name("request " + newest).start(this::run);
  }

  synchronized void show(DrainRequestObject request) {
    if (ResourceVersion.isNewer(request.version(), newest.version())) {
      newest = request;
      bell.ring();
    }
  }

  synchronized void showGone() {
    gone = true;
    bell.ring();
  }

  private synchronized Optional<DrainRequestObject> look() {
    return gone ? Optional.empty() : Optional.of(newest);
  }

  private void run() {
    int failures = 0;
    try {
      while (!closed) {
        Duration wait;
        try {
          Optional<DrainRequestObject> seen = look();
          if (seen.isEmpty()) {
            release(newest.facts());
            whenGone.run();
            return;
          }
          wait = act(seen.get());
          failures = 0;
        } catch (ApiFailure | HoldsUnreadable later) {
          wait = context.backoff().after(++failures);
          LOG.warn("DrainRequest {}: {}; tried again", newest, later.getMessage());
        }
        bell.await(wait);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      if (!closed) {
        LOG.error("DrainRequest {} is served no longer", newest, bug);
      }
    }
  }

  /** How long to wait if nothing happens. */
  private Duration act(DrainRequestObject seen) {
    DrainRequestFacts request = seen.facts();
    return switch (DrainRequestDecider.decide(request)) {
      case DrainRequestStep.Leave() -> {
        service = null;
        yield LONGEST_WAIT;
      }
      case DrainRequestStep.Claim(List<String> finalizers) -> {
        show(writer.finalizers(seen, finalizers));
        LOG.info("DrainRequest {} for node {} is ours", seen, request.spec().nodeName());
        yield Duration.ZERO;
      }
      case DrainRequestStep.Reject(String why) ->
          write(seen, DrainRequestReport.of(Reason.InvalidRequest, why));
      case DrainRequestStep.Release(List<String> finalizers) -> {
        releaseOrSay(seen);
        show(writer.finalizers(seen, finalizers));
        LOG.info("DrainRequest {}: hold on node {} released", seen, request.spec().nodeName());
        yield LONGEST_WAIT;
      }
      case DrainRequestStep.Drain(DrainPolicy policy) -> drain(seen, policy);
    };
  }

  private Duration drain(DrainRequestObject seen, DrainPolicy policy) {
    DrainRequestFacts request = seen.facts();
    Service now = service;
    if (now != null && now.request.generation() != request.generation()) {
      now.end();
      if (!now.request.spec().nodeName().equals(request.spec().nodeName())) {
        release(now.request);
      }
      now = null;
    }
    if (now == null) {
      if (!request.hasBegun()) {
        return begin(seen);
      }
      now = new Service(request, policy, begunHere != request.generation());
      service = now;
      LOG.info("DrainRequest {}: draining node {}", seen, request.spec().nodeName());
    }
    DrainOutcome outcome = now.run.outcome().getNow(null);
    if (outcome == null) {
      return write(seen, now.latest);
    }
    if (closed) {
      return Duration.ZERO;
    }
    DrainRequestReport end = end(now, outcome);
    LOG.info("DrainRequest {}: {}: {}", seen, end.reason(), end.message());
    return write(seen, end);
  }

  /** Written first: whoever takes over must know that pods may be gone already. */
  private Duration begin(DrainRequestObject seen) {
    begunHere = seen.facts().generation();
    DrainRequestReport begun = DrainRequestReport.begun(PodCount.NONE);
    show(writer.status(seen, begun));
    written = begun;
    return Duration.ZERO;
  }

  private DrainRequestReport end(Service service, DrainOutcome outcome) {
    DrainRequestReport last = service.latest;
    return switch (outcome.end()) {
      case DONE -> DrainRequestReport.done(last.gone(), service.continued);
      case CANCELLED -> last.ended(Reason.DrainCancelled, outcome.message());
      case REFUSED -> last.ended(Reason.DrainFailed, outcome.message());
      case FAILED ->
          exists(outcome.node())
              ? last.ended(Reason.DrainFailed, outcome.message())
              : withoutNode(service, outcome);
    };
  }

  private boolean exists(String node) {
    KubeAnswer answer = context.http().send(ApiCall.get(DrainApiPaths.node(node)));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return false;
    }
    var _ = answer.orThrow("node " + node);
    return true;
  }

  /** A node may go away while nobody looks; one that was never there is a mistake. */
  private DrainRequestReport withoutNode(Service service, DrainOutcome outcome) {
    if (!service.continued) {
      return DrainRequestReport.of(Reason.NodeNotFound, outcome.message());
    }
    boolean[] left = new boolean[1];
    var _ =
        context
            .http()
            .list(DrainApiPaths.podsOn(outcome.node()), pod -> left[0] = true)
            .orThrow("pods of node " + outcome.node());
    if (left[0]) {
      this.service = null;
      throw new ApiFailure(0, "node " + outcome.node() + " is gone, but not all of its pods");
    }
    DrainRequestReport last = service.latest;
    return DrainRequestReport.done(last.gone() + last.left().orElse(0), true);
  }

  /** How long to wait until it is written, or nothing is left to write. */
  private Duration write(DrainRequestObject seen, DrainRequestReport report) {
    DrainRequestReport before = written;
    if (report.equals(before)) {
      return LONGEST_WAIT;
    }
    Instant now = context.clock().instant();
    if (before != null && before.reason() == report.reason()) {
      Instant next = writtenAt.plus(BETWEEN_WRITES);
      if (now.isBefore(next)) {
        return Duration.between(now, next);
      }
    }
    show(writer.status(seen, report));
    written = report;
    writtenAt = now;
    return LONGEST_WAIT;
  }

  private void releaseOrSay(DrainRequestObject seen) {
    try {
      release(seen.facts());
    } catch (HoldsUnreadable unreadable) {
      var _ =
          write(
              seen,
              DrainRequestReport.of(
                  Reason.ReleaseBlocked, String.valueOf(unreadable.getMessage())));
      throw unreadable;
    }
  }

  private void release(DrainRequestFacts request) {
    if (service != null) {
      service.end();
      service = null;
    }
    try {
      var _ = context.holds().release(request.spec().nodeName(), request.holder());
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

  @Override
  public void close() {
    closed = true;
    bell.ring();
  }
}
