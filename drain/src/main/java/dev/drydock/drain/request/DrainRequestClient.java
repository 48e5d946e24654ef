package dev.drydock.drain.request;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.request.decide.DrainRequestReport.Reason;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Creates a DrainRequest and follows the operator's drain. Closing it stops following; the drain
 * continues.
 */
public final class DrainRequestClient implements AutoCloseable {
  /** A running operator serves a request much sooner. */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final Asked asked;
  private final DrainListener listener;
  private final Kube kube;
  private final Instant begun;
  private final CompletableFuture<DrainOutcome> outcome = new CompletableFuture<>();
  private final Watch<DrainRequestObject> watch;
  private @Nullable Decision last;

  /** The request, by name. */
  public record Asked(String namespace, String name, DrainRequestSpec spec) {}

  private DrainRequestClient(Kube kube, Asked asked, DrainListener listener) {
    this.asked = asked;
    this.listener = listener;
    this.kube = kube;
    begun = kube.clock().instant();
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    DrainRequestObject.RESOURCE.named(asked.namespace(), asked.name()),
                    DrainRequestObject::read),
                new Changes());
  }

  /**
   * Has an operator of the cluster drain a node, by a DrainRequest with that name; one that is
   * there already is changed to ask for the same.
   */
  public static DrainRequestClient start(Kube kube, Asked asked, DrainListener listener) {
    DrainRequestClient drain = new DrainRequestClient(kube, asked, listener);
    JsonNode object =
        kube.http()
            .apply(
                DrainRequestObject.RESOURCE,
                DrainRequestManifest.of(asked.namespace(), asked.name(), asked.spec()));
    DrainRequestObject request = DrainRequestObject.read(object);
    drain.watch.startFrom(Map.of(request.uid(), request), request.version());
    var _ = kube.time().schedule(TIMEOUT, drain::reportIfNotServed);
    return drain;
  }

  /** Completed once, whatever happens; never exceptionally. */
  public CompletableFuture<DrainOutcome> outcome() {
    return outcome.copy();
  }

  private synchronized void seen(DrainRequestObject request) {
    Optional<Reason> reason = reason(request);
    if (reason.isEmpty()) {
      return;
    }
    Decision decision = decision(request.object().status(), reason.get());
    if (!decision.equals(last)) {
      last = decision;
      report(decision);
    }
    end(reason.get()).ifPresent(end -> end(end, request.message()));
  }

  /**
   * The reason for the current generation of the spec; of an earlier one only completion counts.
   */
  private static Optional<Reason> reason(DrainRequestObject request) {
    return request
        .facts()
        .complete()
        .filter(
            complete ->
                complete.status().equals("True")
                    || complete.generation() == request.facts().generation())
        .map(complete -> Reason.of(complete.status(), complete.reason()));
  }

  private static Optional<End> end(Reason reason) {
    if (!reason.isFinal()) {
      return Optional.empty();
    }
    return Optional.of(
        reason.isComplete()
            ? End.DONE
            : reason == Reason.DrainCancelled ? End.CANCELLED : End.FAILED);
  }

  private static Decision decision(JsonNode status, Reason reason) {
    Status standing =
        switch (reason) {
          case DrainComplete, NoPods -> Status.DONE;
          case Draining -> Status.DRAINING;
          case Blocked, ReleaseBlocked -> Status.BLOCKED;
          case Refused -> Status.REFUSED;
          case DrainFailed, DrainCancelled, NodeNotFound, InvalidRequest -> Status.FAILED;
        };
    List<Blocker> blockers = new ArrayList<>();
    status.path("blockers").forEach(blocker -> blockers.add(blocker(blocker)));
    Decision.Progress progress =
        new Decision.Progress(
            status.path("podsGone").asInt(0), status.path("podsLeft").asInt(0), 0, 0);
    return new Decision(
        standing,
        List.of(),
        blockers,
        List.of(),
        progress,
        eta(status),
        Set.of(),
        Optional.empty());
  }

  private static Eta eta(JsonNode status) {
    JsonNode most = status.path("etaAtMostSeconds");
    return new Eta(
        Duration.ofSeconds(status.path("etaAtLeastSeconds").asLong(0)),
        most.isNumber() ? Optional.of(Duration.ofSeconds(most.asLong())) : Optional.empty());
  }

  private static Blocker blocker(JsonNode blocker) {
    List<PodRef> pods = new ArrayList<>();
    for (JsonNode pod : blocker.path("pods")) {
      String[] parts = pod.asText().split("/", 2);
      pods.add(new PodRef(parts[0], parts[parts.length - 1], ""));
    }
    BlockReason reason =
        BlockReason.ofCamelCase(text(blocker, "reason")).orElse(BlockReason.REQUEST_FAILED);
    String next = text(blocker, "next");
    return new Blocker(
        reason, pods, List.of(), text(blocker, "message"), next.isEmpty() ? reason.next() : next);
  }

  private synchronized void reportIfNotServed() {
    if (last == null && !outcome.isDone()) {
      Blocker unserved =
          new Blocker(
              BlockReason.NOT_SERVED,
              List.of(),
              List.of(),
              "no operator has taken DrainRequest %s/%s yet"
                  .formatted(asked.namespace(), asked.name()));
      report(
          new Decision(
              Status.BLOCKED,
              List.of(),
              List.of(unserved),
              List.of(),
              new Decision.Progress(0, 0, 0, 0),
              new Eta(Duration.ZERO, Optional.empty()),
              Set.of(),
              Optional.empty()));
    }
  }

  private void report(Decision decision) {
    Duration elapsed = Duration.between(begun, kube.clock().instant());
    listener.changed(new DrainReport(asked.spec().nodeName(), decision, begun, elapsed));
  }

  private void end(End end, String message) {
    outcome.complete(
        new DrainOutcome(
            asked.spec().nodeName(),
            end,
            message,
            Optional.ofNullable(last),
            Duration.between(begun, kube.clock().instant())));
  }

  @Override
  public void close() {
    watch.close();
  }

  private final class Changes implements Watch.Listener<DrainRequestObject> {
    @Override
    public void changed(@Nullable DrainRequestObject before, @Nullable DrainRequestObject after) {
      if (after != null) {
        seen(after);
      } else {
        end(End.CANCELLED, "the DrainRequest was deleted");
      }
    }

    @Override
    public void refreshed() {
      Watch.State<DrainRequestObject> state = watch.state();
      if (state.unsynced().isPresent()) {
        return; // the watch is taken up again
      }
      if (state.items().isEmpty()) {
        end(End.CANCELLED, "the DrainRequest was deleted");
      }
      state.items().forEach(DrainRequestClient.this::seen);
    }
  }
}
