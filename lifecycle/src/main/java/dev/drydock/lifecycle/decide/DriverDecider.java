package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.DriverDrain.Purpose;
import dev.drydock.lifecycle.decide.DriverDrain.Run;
import dev.drydock.lifecycle.decide.DriverStep.Reply;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The drain driver of a node: one drain at a time, and an answer to every call in time. A drain has
 * ended when a fresh list shows none of its pods. After a restart it is started again by the next
 * call of a claimer.
 */
public final class DriverDecider {
  /** Prefix of the reason of a hold whose drain continues although its event has ended. */
  public static final String WITHOUT_EVENT = "drains on, past the time of LifecycleEvent ";

  private static final int PODS_SHOWN = 3;

  private final DriverInput input;

  private DriverDecider(DriverInput input) {
    this.input = input;
  }

  public static DriverStep decide(DriverInput input) {
    return new DriverDecider(input).step();
  }

  private DriverStep step() {
    return overdue()
        .or(() -> input.drain().flatMap(this::own))
        .or(this::firstOfCalls)
        .or(() -> input.drain().flatMap(DriverDecider::tidy))
        .or(this::resume)
        .orElseGet(this::waiting);
  }

  /** First, so that callers are answered even if something fails. */
  private Optional<DriverStep> overdue() {
    return input.calls().stream()
        .filter(call -> !input.now().isBefore(call.deadline()))
        .findFirst()
        .map(
            call ->
                call.kind().isStart()
                    ? answer(
                        call,
                        new Reply.Unavailable(
                            "another operation on node %s is in progress"
                                .formatted(input.policy().node())))
                    : answer(call, new Reply.Told(call.start())));
  }

  /** The step that the drain needs, independent of calls. */
  private Optional<DriverStep> own(DriverDrain drain) {
    return switch (drain.purpose()) {
      case FOR_EVENT -> follow(drain);
      case WITHOUT_EVENT ->
          drain.run() == Run.NONE ? Optional.of(new DriverStep.StartRun()) : Optional.empty();
      case SPENT -> Optional.empty();
      case CANCELLED, STOPPED ->
          switch (drain.run()) {
            case RUNNING -> Optional.of(new DriverStep.CancelRun());
            case CANCELLING -> Optional.empty();
            case NONE, DONE, FAILED ->
                drain.purpose() == Purpose.CANCELLED ? settle(drain) : Optional.empty();
          };
    };
  }

  private Optional<DriverStep> settle(DriverDrain drain) {
    return Optional.of(
        input.policy().uncordonWhenCancelled()
            ? new DriverStep.Release()
            : new DriverStep.ChangePurpose(Purpose.STOPPED, drain.why()));
  }

  /** Sees that an event was deleted, or that its claimer gave it up. */
  private Optional<DriverStep> follow(DriverDrain drain) {
    if (drain.uid().isEmpty()) {
      return input.event(drain.event()).map(DriverStep.Identify::new);
    }
    Optional<LifecycleEventFacts> event = input.eventOf(drain.uid().get());
    if (event.isEmpty()) {
      // what cannot be seen is not gone; a deletion that was seen counts in any case
      return input.synced()
          ? Optional.of(
              drain.isOver()
                  ? new DriverStep.ChangePurpose(Purpose.SPENT, "")
                  : cancelled(drain, "was deleted"))
          : Optional.empty();
    }
    if (event.get().claim() == ClaimStatus.Succeeded && !drain.isOver()) {
      return Optional.of(cancelled(drain, "was set to Succeeded by somebody else"));
    }
    if (event.get().claim().isTerminal()) {
      return stop("its LifecycleEvent has ended: " + event.get().claim());
    }
    if (event.get().deleting()) {
      return Optional.of(cancelled(drain, "was deleted"));
    }
    return drain.noted() || drain.hold().isEmpty()
        ? Optional.empty()
        : Optional.of(new DriverStep.NoteHold());
  }

  private DriverStep cancelled(DriverDrain drain, String what) {
    return new DriverStep.ChangePurpose(
        Purpose.CANCELLED,
        "LifecycleEvent %s %s: its drain was stopped, and node %s %s"
            .formatted(
                drain.event(),
                what,
                input.policy().node(),
                input.policy().uncordonWhenCancelled() ? "was released" : "stays held"));
  }

  private static Optional<DriverStep> stop(String why) {
    return Optional.of(new DriverStep.ChangePurpose(Purpose.STOPPED, why));
  }

  private Optional<DriverStep> firstOfCalls() {
    return input.calls().stream().map(this::serve).flatMap(Optional::stream).findFirst();
  }

  private Optional<DriverStep> serve(PendingCall call) {
    if (!call.kind().isDrain()) {
      return uncordon(call);
    }
    return call.slaExpired() && input.policy().atSla() == SlaPolicy.STOP
        ? stopInTime(call)
        : drain(call);
  }

  private Optional<DriverStep> drain(PendingCall call) {
    if (!call.joined()) {
      boolean present =
          input
              .drain()
              .filter(drain -> isFor(drain, call.event()))
              .filter(drain -> !(call.kind().isStart() && drain.isOver()))
              .isPresent();
      return present ? Optional.of(new DriverStep.Join(call)) : begin(call);
    }
    DriverDrain drain = input.drain().orElseThrow();
    if (drain.purpose() == Purpose.STOPPED) {
      return Optional.of(answer(call, new Reply.Failed(drain.why())));
    }
    if (drain.purpose() == Purpose.CANCELLED) {
      return Optional.empty();
    }
    if (drain.hold().isEmpty() && drain.uid().isEmpty() && !input.synced()) {
      return Optional.empty(); // its event may say that the node was held before
    }
    if (drain.hold().isEmpty() && drain.noted()) {
      if (drain.found().isEmpty()) {
        return Optional.of(new DriverStep.CheckHold(call));
      }
      Optional<String> loss = drain.found().get().loss();
      if (loss.isPresent()) {
        return stop(loss.get() + " while the driver was away");
      }
    }
    if (drain.hold().isEmpty()) {
      // before the engine does, so that a node that cannot be cordoned is reported at once
      return Optional.of(
          new DriverStep.PlaceHold(
              "LifecycleEvent " + drain.event(), drain.purpose(), Optional.of(call)));
    }
    if (drain.run() == Run.NONE) {
      return Optional.of(new DriverStep.StartRun());
    }
    return call.kind().isStart()
        ? Optional.of(answer(call, new Reply.Told(call.start())))
        : end(call, drain);
  }

  private boolean isFor(DriverDrain drain, String event) {
    Optional<String> seen = input.event(event).map(known -> known.facts().uid());
    return drain.purpose() == Purpose.FOR_EVENT
        && drain.event().equals(event)
        && (seen.isEmpty() || drain.uid().isEmpty() || drain.uid().equals(seen));
  }

  private Optional<DriverStep> begin(PendingCall call) {
    return insteadOfDrain(
        "another LifecycleEvent took its place",
        new DriverStep.Begin(call, input.event(call.event())));
  }

  /** Ends the current drain first and answers its callers. */
  private Optional<DriverStep> insteadOfDrain(String why, DriverStep next) {
    Optional<DriverDrain> drain = input.drain();
    if (drain.isEmpty()) {
      return Optional.of(next);
    }
    return switch (drain.get().purpose()) {
      case CANCELLED -> Optional.empty();
      case STOPPED -> isBusy(drain.get()) ? Optional.empty() : Optional.of(next);
      case FOR_EVENT, WITHOUT_EVENT, SPENT -> isBusy(drain.get()) ? stop(why) : Optional.of(next);
    };
  }

  private boolean isBusy(DriverDrain drain) {
    return drain.isLive() || input.isAwaited();
  }

  private Optional<DriverStep> end(PendingCall call, DriverDrain drain) {
    if (call.slaExpired() && drain.run() != Run.DONE) {
      Optional<DriverStep> next = goOn(call, drain);
      if (next.isPresent()) {
        return next;
      }
    }
    return switch (drain.run()) {
      case NONE, CANCELLING -> Optional.empty();
      case RUNNING ->
          call.check().isPresent()
              ? Optional.of(answer(call, new Reply.Told(call.start())))
              : Optional.empty();
      case FAILED -> Optional.of(answer(call, new Reply.Failed(drain.message())));
      case DONE -> Optional.of(verified(call, drain));
    };
  }

  /** The engine says that the node is drained; more pods may have come since. */
  private static DriverStep verified(PendingCall call, DriverDrain drain) {
    if (call.check().isEmpty()) {
      return new DriverStep.CheckNode(call);
    }
    if (!call.check().get().left().isEmpty()) {
      return new DriverStep.StartRun();
    }
    return mustReleaseToOther(drain)
        ? new DriverStep.ReleaseToOther(Optional.of(call))
        : answer(call, new Reply.Told(call.end()));
  }

  private static boolean mustReleaseToOther(DriverDrain drain) {
    return drain.behalf().isPresent() && !drain.releasedToOther();
  }

  /** The event's time is over; none if all that can be done is to wait for the engine. */
  private Optional<DriverStep> goOn(PendingCall call, DriverDrain drain) {
    boolean deletes = input.policy().atSla() == SlaPolicy.DELETE;
    if (drain.run() == Run.FAILED && (!deletes || drain.afterSla())) {
      return Optional.empty();
    }
    if (drain.purpose() != Purpose.WITHOUT_EVENT) {
      // on the hold, so that it continues after a restart as well
      return Optional.of(
          new DriverStep.PlaceHold(
              WITHOUT_EVENT + drain.event(), Purpose.WITHOUT_EVENT, Optional.of(call)));
    }
    if (!deletes) {
      return Optional.of(
          answer(
              call,
              new Reply.Failed(
                  "SLA expired with %d pods left; the drain continues without the event"
                      .formatted(drain.remaining()))));
    }
    if (drain.afterSla()) {
      return Optional.empty();
    }
    return switch (drain.run()) {
      case RUNNING -> Optional.of(new DriverStep.CancelRun());
      case CANCELLING -> Optional.empty();
      case NONE, FAILED, DONE -> Optional.of(new DriverStep.StartRun());
    };
  }

  /** Starts no drain: this may be the claimer's first call after a restart. */
  private Optional<DriverStep> stopInTime(PendingCall call) {
    Optional<DriverDrain> own = input.drain().filter(drain -> drain.event().equals(call.event()));
    if (own.isPresent() && !call.joined()) {
      return Optional.of(new DriverStep.Join(call));
    }
    if (own.isPresent()) {
      DriverDrain drain = own.get();
      if (drain.purpose() != Purpose.STOPPED && drain.purpose() != Purpose.CANCELLED) {
        return stop("the SLA of LifecycleEvent %s has expired".formatted(call.event()));
      }
      if (drain.isLive() || drain.purpose() == Purpose.CANCELLED) {
        return Optional.empty();
      }
    }
    if (call.check().isEmpty()) {
      return Optional.of(new DriverStep.CheckNode(call));
    }
    return Optional.of(
        own.filter(DriverDecider::mustReleaseToOther).isPresent()
            ? new DriverStep.ReleaseToOther(Optional.of(call))
            : answer(call, stopped(call, call.check().get())));
  }

  private Reply stopped(PendingCall call, PendingCall.Check check) {
    String node = input.policy().node();
    if (!check.held()) {
      return new Reply.Failed("SLA expired, and node %s is not held".formatted(node));
    }
    return check.left().isEmpty()
        ? new Reply.Told(call.end())
        : new Reply.Failed(
            "SLA expired with %s left; node %s stays held".formatted(words(check.left()), node));
  }

  /** For people: a few by name, the rest counted. */
  private static String words(List<String> pods) {
    return NameLists.some(pods, PODS_SHOWN) + (pods.size() > PODS_SHOWN ? " pods" : "");
  }

  private Optional<DriverStep> uncordon(PendingCall call) {
    if (call.uncordoned().isEmpty()) {
      return insteadOfDrain(
          "the node was uncordoned",
          input.drain().isPresent() ? new DriverStep.Drop() : new DriverStep.Uncordon(call));
    }
    PendingCall.Uncordoned node = call.uncordoned().get();
    if (call.kind().isStart()) {
      return Optional.of(answer(call, new Reply.Told(call.start())));
    }
    if (!node.unschedulable()) {
      // An End before its Start had to uncordon the node itself: then it is over with the next End.
      boolean early = node.wasOut() && !call.slaExpired();
      return Optional.of(answer(call, new Reply.Told(early ? call.start() : call.end())));
    }
    if (call.slaExpired() || call.readAgain()) {
      return Optional.of(answer(call, new Reply.Told(call.start())));
    }
    if (!call.messageWritten()) {
      return Optional.of(
          new DriverStep.WriteMessage(call, "held by " + NameLists.some(node.holders())));
    }
    boolean deleted =
        input.event(call.event()).filter(event -> event.facts().deleting()).isPresent();
    return input.schedulable() || deleted
        ? Optional.of(new DriverStep.ReadHolds(call))
        : Optional.empty();
  }

  /** A drain that went on without its event and is over says so on its hold. */
  private static Optional<DriverStep> tidy(DriverDrain drain) {
    if (drain.purpose() != Purpose.WITHOUT_EVENT || drain.run() != Run.DONE) {
      return Optional.empty();
    }
    String drained = "drained for LifecycleEvent " + drain.event();
    if (!drain.hold().equals(drained)) {
      return Optional.of(new DriverStep.PlaceHold(drained, drain.purpose(), Optional.empty()));
    }
    return mustReleaseToOther(drain)
        ? Optional.of(new DriverStep.ReleaseToOther(Optional.empty()))
        : Optional.empty();
  }

  private Optional<DriverStep> resume() {
    return input.resumed() || input.drain().isPresent()
        ? Optional.empty()
        : Optional.of(new DriverStep.Resume());
  }

  private DriverStep waiting() {
    return new DriverStep.Wait(
        input.calls().stream().map(PendingCall::deadline).min(Instant::compareTo));
  }

  private static DriverStep answer(PendingCall call, Reply reply) {
    return new DriverStep.Answer(call, reply);
  }
}
