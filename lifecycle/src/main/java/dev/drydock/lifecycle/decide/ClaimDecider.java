package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.DriverCallState.Answer;
import dev.drydock.lifecycle.decide.DriverCallState.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** A claim of somebody else that has not changed for this time is worth a warning. */
  static final Duration UNATTENDED = Duration.ofMinutes(5);

  /** Prefix of the message of an event that waits for others of its node. */
  static final String AFTER = "waits for LifecycleEvent";

  /** Why an outcome that somebody wrote by hand does not count. */
  public static final String NOT_THE_DRIVERS =
      "claimStatus %s was written by somebody else; the driver has not said so";

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

  private static boolean isOver(ClaimInput input, Instant missedSince) {
    return !input.now().isBefore(missedSince.plus(GRACE));
  }

  private ClaimStep step() {
    Optional<LifecycleEventFacts> ended =
        input.events().stream()
            .filter(event -> isMine(event) && event.claim().isTerminal())
            .filter(event -> event.guarded() || !event.deleting())
            .findFirst();
    if (ended.isPresent()) {
      return ended(ended.get());
    }
    Optional<LifecycleEventFacts> abandoned =
        input.events().stream()
            .filter(event -> isMine(event) && event.claim() == ClaimStatus.Pending)
            .filter(event -> event.deleting() && event.guarded())
            .findFirst();
    if (abandoned.isPresent()) {
      return failed(abandoned.get(), "deleted before it was claimed");
    }
    return current().map(this::drive).orElseGet(this::claim);
  }

  private ClaimStep ended(LifecycleEventFacts event) {
    if (input.decided().contains(event.uid())) {
      return new ClaimStep.Finish(event, event.claim(), event.message());
    }
    return new ClaimStep.Verify(
        event,
        event.claim() == ClaimStatus.SlaExpired ? ClaimStatus.SlaExpired : ClaimStatus.Failed,
        NOT_THE_DRIVERS.formatted(event.claim()));
  }

  /**
   * The finalizer alone is enough: the annotation can be lost, and deletion must not hang on a
   * finalizer that nobody removes.
   */
  private boolean isMine(LifecycleEventFacts event) {
    return event.ours() || (event.guarded() && !input.kubeletClaims());
  }

  /** The one claimed event of the node. Whoever claimed it, no other is claimed beside it. */
  private Optional<LifecycleEventFacts> current() {
    return input.events().stream()
        .filter(event -> event.claim() == ClaimStatus.Claimed)
        .filter(event -> event.ours() || !input.kubeletClaims())
        .min(
            Comparator.comparing((LifecycleEventFacts event) -> !isMine(event))
                .thenComparing(this::isOthers));
  }

  /**
   * Claimed by somebody who has no driver on this node, such as a controller elsewhere. A claim of
   * this node, perhaps of an earlier claimer, has the finalizer or a driver.
   */
  private boolean isOthers(LifecycleEventFacts event) {
    TransitionFacts transition = input.transitions().get(event.transitionRef());
    return !isMine(event)
        && (transition == null || !input.drivers().containsKey(transition.driver()));
  }

  private ClaimStep claim() {
    if (input.kubeletClaims() || input.labels().isEmpty()) {
      return new ClaimStep.Idle();
    }
    Optional<Instant> patience = Optional.empty();
    for (LifecycleEventFacts event : pending()) {
      TransitionFacts transition = input.transitions().get(event.transitionRef());
      if (transition == null || event.isFaulty()) {
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
      Optional<Instant> end =
          input.silentSince(transition.driver()).map(since -> endOfSilence(event, since));
      if (end.filter(time -> !input.now().isBefore(time)).isPresent()) {
        return new ClaimStep.Finish(
            event,
            ClaimStatus.Failed,
            "%s for %d s".formatted(isSilent(transition.driver()), GRACE.toSeconds()),
            Optional.of(transition.driver()));
      }
      patience = Stream.concat(patience.stream(), end.stream()).min(Instant::compareTo);
    }
    return new ClaimStep.Idle(patience);
  }

  /**
   * It is given as long as a driver that is restarted. The event stays unclaimed meanwhile. Its own
   * time is of another clock, so it counts only until this claimer has seen it.
   */
  private Instant endOfSilence(LifecycleEventFacts event, Instant since) {
    Instant seen = input.unchanged().getOrDefault(event.uid(), event.created());
    return (since.isAfter(seen) ? since : seen).plus(GRACE);
  }

  private String isSilent(String driver) {
    return "driver %s is registered on node %s, but does not answer"
        .formatted(driver, input.node());
  }

  private List<LifecycleEventFacts> pending() {
    return input.events().stream()
        .filter(event -> event.claim() == ClaimStatus.Pending)
        .filter(event -> !event.deleting())
        .toList();
  }

  /** Pending, or claimed beside another one. */
  private Stream<LifecycleEventFacts> waiting(Optional<LifecycleEventFacts> current) {
    return input.events().stream()
        .filter(event -> !event.claim().isTerminal() && !event.deleting())
        .filter(event -> current.isEmpty() || !current.get().uid().equals(event.uid()))
        .filter(event -> event.claim() == ClaimStatus.Pending || !isOthers(event));
  }

  private Map<String, String> waits() {
    if (input.kubeletClaims()) {
      return Map.of();
    }
    Optional<LifecycleEventFacts> current = current();
    Map<String, String> waits = new HashMap<>();
    waiting(current)
        .forEach(
            event -> {
              String lack = lack(event);
              waits.put(event.uid(), lack.isEmpty() && current.isPresent() ? after() : lack);
            });
    current
        .filter(event -> event.isFaulty() && !event.deleting() && !isOthers(event))
        .ifPresent(event -> waits.put(event.uid(), unreadable(event)));
    return waits;
  }

  private static String unreadable(LifecycleEventFacts event) {
    return "cannot be read: %s; correct that, or delete the event".formatted(event.fault());
  }

  /** Names none of them, or every event that ends would change the messages of all others. */
  private String after() {
    return "%ss of node %s that come first".formatted(AFTER, input.node());
  }

  private String lack(LifecycleEventFacts event) {
    if (event.isFaulty()) {
      return unreadable(event);
    }
    TransitionFacts transition = input.transitions().get(event.transitionRef());
    if (transition == null) {
      return "waits for LifecycleTransition %s, which does not exist; see: kubectl get lifecycletransitions"
          .formatted(event.transition());
    }
    if (input.isConnected(transition.driver())) {
      return "";
    }
    return input.silentSince(transition.driver()).isPresent()
        ? isSilent(transition.driver())
        : "waits for driver %s, which is not registered on node %s"
            .formatted(transition.driver(), input.node());
  }

  private ClaimStep drive(LifecycleEventFacts event) {
    if (isOthers(event)) {
      return others(event);
    }
    if (!event.deleting() && !(event.guarded() && event.ours())) {
      return new ClaimStep.Mark(event);
    }
    if (input.labels().isEmpty()) {
      return failed(event, "node " + input.node() + " is gone");
    }
    if (event.isFaulty() && !event.deleting()) {
      return new ClaimStep.Leave(event, unreadable(event), Optional.empty());
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

  /** Not written to and not deleted: whoever claimed it may be at work. */
  private ClaimStep others(LifecycleEventFacts event) {
    String why =
        "claimed by somebody whose driver is not registered on node %s; no other event of the node is claimed until it ends or is deleted"
            .formatted(input.node());
    Instant end =
        event
            .sla()
            .orElseGet(
                () -> input.unchanged().getOrDefault(event.uid(), input.now()).plus(UNATTENDED));
    if (input.warned().contains(event.uid())) {
      return new ClaimStep.Leave(event, why, Optional.empty());
    }
    return input.now().isBefore(end)
        ? new ClaimStep.Leave(event, why, Optional.of(end))
        : new ClaimStep.Warn(event, why);
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
