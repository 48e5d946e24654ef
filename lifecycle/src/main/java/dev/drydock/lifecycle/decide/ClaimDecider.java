package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.DriverCallState.Answer;
import dev.drydock.lifecycle.decide.DriverCallState.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The claimer of a node: one event at a time, the oldest first. An event succeeds only by its
 * driver's answer about this event, never by a condition that an earlier one left behind.
 */
public final class ClaimDecider {
  /** How long a driver or transition may be missing before the event fails. */
  public static final Duration GRACE = Duration.ofSeconds(30);

  /**
   * A driver that answers at once that it is still working is called again after this time at the
   * earliest.
   */
  static final Duration PERIOD = Duration.ofSeconds(10);

  /** An unanswered call is repeated after this time. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** Prefix of the message of an event that waits for another one of its node. */
  static final String AFTER = "waits for LifecycleEvent ";

  private final ClaimInput input;

  private ClaimDecider(ClaimInput input) {
    this.input = input;
  }

  public static ClaimStep decide(ClaimInput input) {
    return new ClaimDecider(input).step();
  }

  /** What pending events wait for, by their UID. */
  public static Map<String, String> waits(ClaimInput input) {
    return new ClaimDecider(input).waits();
  }

  /** Transitions for this node alone whose driver does not come back. */
  public static List<TransitionFacts> orphans(ClaimInput input) {
    return input.transitions().values().stream()
        .filter(transition -> transition.coverage().equals(new NodeCoverage.OneNode(input.node())))
        .filter(transition -> !input.isConnected(transition.driver()))
        .filter(transition -> isOver(input, input.missedSince(transition.driver())))
        .toList();
  }

  /** When the next driver will have been missing for too long. */
  public static Optional<Instant> nextOrphan(ClaimInput input) {
    return input.transitions().values().stream()
        .filter(transition -> transition.coverage().equals(new NodeCoverage.OneNode(input.node())))
        .filter(transition -> !input.isConnected(transition.driver()))
        .map(transition -> input.missedSince(transition.driver()).plus(GRACE))
        .filter(input.now()::isBefore)
        .min(Instant::compareTo);
  }

  private static boolean isOver(ClaimInput input, Instant missedSince) {
    return !input.now().isBefore(missedSince.plus(GRACE));
  }

  private ClaimStep step() {
    Optional<LifecycleEventFacts> ended =
        input.events().stream()
            .filter(event -> event.ours() && event.claim().isTerminal())
            .filter(event -> event.guarded() || !event.deleting())
            .findFirst();
    if (ended.isPresent()) {
      LifecycleEventFacts event = ended.get();
      return new ClaimStep.Finish(event, event.claim(), event.message());
    }
    Optional<LifecycleEventFacts> abandoned =
        input.events().stream()
            .filter(event -> event.ours() && event.claim() == ClaimStatus.Pending)
            .filter(event -> event.deleting() && event.guarded())
            .findFirst();
    if (abandoned.isPresent()) {
      return failed(abandoned.get(), "deleted before it was claimed");
    }
    return current().map(this::drive).orElseGet(this::claim);
  }

  private Optional<LifecycleEventFacts> current() {
    return input.events().stream()
        .filter(event -> event.ours() && event.claim() == ClaimStatus.Claimed)
        .findFirst();
  }

  private ClaimStep claim() {
    if (input.kubeletClaims() || input.labels().isEmpty()) {
      return new ClaimStep.Idle();
    }
    for (LifecycleEventFacts event : pending()) {
      TransitionFacts transition = input.transitions().get(event.transitionRef());
      if (transition == null) {
        continue;
      }
      if (!transition.coverage().covers(input.node(), input.labels().get())) {
        return new ClaimStep.Reject(
            event,
            "LifecycleTransition %s is not for node %s".formatted(transition.ref(), input.node()));
      }
      if (input.isConnected(transition.driver())) {
        return new ClaimStep.Claim(event, transition);
      }
    }
    return new ClaimStep.Idle();
  }

  private List<LifecycleEventFacts> pending() {
    return input.events().stream()
        .filter(event -> event.claim() == ClaimStatus.Pending)
        .filter(event -> !event.deleting())
        .toList();
  }

  private Map<String, String> waits() {
    if (input.kubeletClaims()) {
      return Map.of();
    }
    Function<LifecycleEventFacts, String> why =
        current()
            .<Function<LifecycleEventFacts, String>>map(first -> _ -> after(first))
            .orElse(this::lack);
    return pending().stream().collect(Collectors.toMap(LifecycleEventFacts::uid, why));
  }

  private static String after(LifecycleEventFacts first) {
    return AFTER + first.ref();
  }

  private String lack(LifecycleEventFacts event) {
    TransitionFacts transition = input.transitions().get(event.transitionRef());
    if (transition == null) {
      return "waits for LifecycleTransition %s, which does not exist; see: kubectl get lifecycletransitions"
          .formatted(event.transition());
    }
    return input.isConnected(transition.driver())
        ? ""
        : "waits for driver %s, which is not registered on node %s"
            .formatted(transition.driver(), input.node());
  }

  private ClaimStep drive(LifecycleEventFacts event) {
    if (input.labels().isEmpty()) {
      return failed(event, "node " + input.node() + " is gone");
    }
    TransitionFacts transition = input.transitions().get(event.transitionRef());
    if (transition == null) {
      return lacking(
          event,
          "LifecycleTransition " + event.transition() + " is gone",
          input.stalled().orElse(input.now()));
    }
    if (!input.isConnected(transition.driver())) {
      return lacking(
          event,
          "driver " + transition.driver() + " is gone",
          input.missedSince(transition.driver()));
    }
    Optional<DriverCallState> callState =
        input.callState().filter(said -> said.uid().equals(event.uid()));
    Call due = due(event, callState);
    if (callState.isEmpty() || callState.get().call().compareTo(due) < 0) {
      return new ClaimStep.Ask(event, transition, due);
    }
    DriverCallState last = callState.get();
    return last.answer().isEmpty()
        ? new ClaimStep.Wait(event, "in progress", event.sla().filter(input.now()::isBefore), false)
        : heard(event, transition, last, last.answer().get());
  }

  /** The minimal driver call that is needed. */
  private Call due(LifecycleEventFacts event, Optional<DriverCallState> callState) {
    if (event.deleting()) {
      return Call.CANCEL;
    }
    if (isLate(event)) {
      return Call.EXPIRE;
    }
    boolean started =
        callState.filter(said -> said.call() != Call.START).isPresent()
            || callState.filter(said -> said.published()).isPresent();
    return started ? Call.END : Call.START;
  }

  private boolean isLate(LifecycleEventFacts event) {
    return event.sla().filter(end -> !input.now().isBefore(end)).isPresent();
  }

  /**
   * Something that has been missing for too long ends the event; so does the event's deadline or
   * deletion.
   */
  private ClaimStep lacking(LifecycleEventFacts event, String what, Instant since) {
    if (event.deleting()) {
      return failed(event, "deleted before it ended, and " + what);
    }
    if (isLate(event)) {
      return new ClaimStep.Finish(event, ClaimStatus.SlaExpired, what);
    }
    Instant end = since.plus(GRACE);
    if (!input.now().isBefore(end)) {
      return failed(event, what + " for " + GRACE.toSeconds() + " s");
    }
    Instant until = event.sla().filter(end::isAfter).orElse(end);
    return new ClaimStep.Wait(event, what + "; waiting for it to return", Optional.of(until), true);
  }

  private ClaimStep heard(
      LifecycleEventFacts event, TransitionFacts transition, DriverCallState state, Answer answer) {
    return switch (answer) {
      case Answer.Told told when !state.published() ->
          new ClaimStep.Publish(event, told.reason(), told.node());
      case Answer.Told told -> told(event, transition, state, told.reason());
      case Answer.Refused(String why) ->
          switch (state.call()) {
            case CANCEL -> failed(event, "deleted before it ended: " + why);
            case EXPIRE -> new ClaimStep.Finish(event, ClaimStatus.SlaExpired, why);
            case START, END -> failed(event, why);
          };
      case Answer.Unreachable(String why) -> again(event, transition, state, why);
    };
  }

  private ClaimStep told(
      LifecycleEventFacts event, TransitionFacts transition, DriverCallState state, String reason) {
    if (state.call() == Call.CANCEL) {
      return failed(event, "deleted before it ended");
    }
    if (reason.equals(transition.end())) {
      return new ClaimStep.Finish(event, ClaimStatus.Succeeded, reason);
    }
    if (state.call() == Call.EXPIRE) {
      return new ClaimStep.Finish(
          event,
          ClaimStatus.SlaExpired,
          "not completed within the SLA; the driver reports " + reason);
    }
    return notBefore(
        state.called().plus(PERIOD),
        new ClaimStep.Ask(event, transition, Call.END),
        "in progress",
        false);
  }

  private ClaimStep again(
      LifecycleEventFacts event, TransitionFacts transition, DriverCallState state, String why) {
    if (isOver(input, input.stalled().orElse(input.now()))) {
      return state.call() == Call.EXPIRE
          ? new ClaimStep.Finish(event, ClaimStatus.SlaExpired, why)
          : failed(event, "the driver does not answer: " + why);
    }
    return notBefore(
        state.called().plus(RETRY),
        new ClaimStep.Ask(event, transition, state.call()),
        "the driver does not answer: " + why,
        true);
  }

  private ClaimStep notBefore(Instant moment, ClaimStep.Ask ask, String why, boolean stalled) {
    if (!input.now().isBefore(moment)) {
      return ask;
    }
    Optional<Instant> sla = ask.event().sla().filter(input.now()::isBefore);
    Instant until = sla.filter(moment::isAfter).orElse(moment);
    return new ClaimStep.Wait(ask.event(), why, Optional.of(until), stalled);
  }

  private static ClaimStep failed(LifecycleEventFacts event, String why) {
    return new ClaimStep.Finish(event, ClaimStatus.Failed, why);
  }
}
