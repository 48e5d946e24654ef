package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.NODE;
import static dev.drydock.lifecycle.decide.TestClaimInput.TRANSITION;
import static dev.drydock.lifecycle.decide.TestClaimInput.at;
import static dev.drydock.lifecycle.decide.TestClaimInput.but;
import static dev.drydock.lifecycle.decide.TestClaimInput.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.DriverCallState.Answer;
import dev.drydock.lifecycle.decide.DriverCallState.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What holds for every decision of a claimer, by going through all that can come together. */
class EveryClaimTest {
  private static final long NOW = 1000;

  /** Part of an input, in words and as what it does to one. */
  private record Part(String words, Consumer<TestClaimInput> put) {}

  private static final List<Part> TRANSITIONS =
      List.of(
          new Part("transition", input -> {}),
          new Part("no transition", TestClaimInput::withoutTransitions),
          new Part(
              "transition for another node",
              input ->
                  input.transition(
                      new TransitionFacts(
                          TRANSITION.ref(),
                          TRANSITION.uid(),
                          TRANSITION.deleting(),
                          TRANSITION.start(),
                          TRANSITION.end(),
                          new NodeCoverage.OneNode("n2"),
                          TRANSITION.sla(),
                          TRANSITION.driver()))));

  private static final List<Part> DRIVERS =
      List.of(
          new Part("driver", input -> {}),
          new Part("driver gone for a moment", input -> input.driverGone(NOW - 1)),
          new Part("driver gone for long", input -> input.driverGone(NOW - 100)),
          new Part("driver silent for a moment", input -> input.driverSilent(NOW - 1)),
          new Part("driver silent for long", input -> input.driverSilent(NOW - 100)),
          new Part("driver never seen", TestClaimInput::driverNeverSeen));

  private static final List<Part> STALLS =
      List.of(
          new Part("", input -> {}),
          new Part("stalled for a moment", input -> input.stalled(NOW - 1)),
          new Part("stalled for long", input -> input.stalled(NOW - 100)));

  private static final List<Part> PLACES =
      List.of(
          new Part("", input -> {}),
          new Part("the kubelet claims", TestClaimInput::kubeletClaims),
          new Part("node gone", TestClaimInput::nodeGone));

  private static final List<Answer> ANSWERS =
      List.of(
          new Answer.Told(TRANSITION.start(), NODE),
          new Answer.Told(TRANSITION.end(), NODE),
          new Answer.Told(TRANSITION.end(), ""),
          new Answer.Told("something else", NODE),
          new Answer.Refused("no"),
          new Answer.Unreachable("silence"));

  @Test
  void everyDecisionIsSound() {
    int decisions = 0;
    List<Part> callStates = callStates();
    for (LifecycleEventFacts event : events()) {
      for (Part callState : callStates) {
        for (Part transition : TRANSITIONS) {
          for (Part driver : DRIVERS) {
            for (Part stall : STALLS) {
              for (Part place : PLACES) {
                check(event, List.of(callState, transition, driver, stall, place));
                decisions++;
              }
            }
          }
        }
      }
    }
    assertThat(decisions).isGreaterThan(100_000);
  }

  private static List<LifecycleEventFacts> events() {
    List<LifecycleEventFacts> all = new ArrayList<>();
    List<Optional<Instant>> slas =
        List.of(Optional.empty(), Optional.of(at(NOW - 1)), Optional.of(at(NOW + 1)));
    for (ClaimStatus claim : ClaimStatus.values()) {
      for (int marks = 0; marks < 8; marks++) {
        boolean deleting = (marks & 1) != 0;
        boolean guarded = (marks & 2) != 0;
        boolean ours = (marks & 4) != 0;
        for (Optional<Instant> sla : slas) {
          LifecycleEventFacts event =
              but(pending("a"), one -> one.claim(claim).marks(deleting, guarded, ours));
          all.add(sla.map(end -> but(event, one -> one.sla(end))).orElse(event));
        }
        all.add(
            but(pending("a"), one -> one.claim(claim).marks(deleting, guarded, ours).fault("odd")));
      }
    }
    return all;
  }

  private static List<Part> callStates() {
    List<Part> all = new ArrayList<>();
    all.add(new Part("no call", input -> {}));
    for (Call call : Call.values()) {
      for (long called : new long[] {NOW, NOW - 5, NOW - 50}) {
        all.add(new Part("calling " + call + called, input -> input.calling("a", call, called)));
        for (Answer answer : ANSWERS) {
          Part heard =
              new Part(
                  "%s at %d: %s".formatted(call, called, answer),
                  input -> input.heard("a", call, called, answer));
          all.add(heard);
          all.add(
              new Part(
                  heard.words() + ", published",
                  input -> {
                    heard.put().accept(input);
                    input.published();
                  }));
        }
      }
    }
    all.add(
        new Part(
            "call about another event",
            input -> input.heard("earlier", Call.END, NOW - 5, ANSWERS.get(1)).published()));
    return all;
  }

  private static void check(LifecycleEventFacts event, List<Part> parts) {
    TestClaimInput test = new TestClaimInput().with(event).now(NOW);
    parts.forEach(part -> part.put().accept(test));
    ClaimInput input = test.input();
    ClaimStep step = ClaimDecider.decide(input);
    Optional<String> wrong =
        wrong(event, input, step)
            .or(() -> wrongWithTwo(event, input, parts))
            .map(what -> what + ": ");
    if (wrong.isPresent()) {
      throw new AssertionError(
          wrong.get()
              + step
              + " for "
              + event
              + " with "
              + parts.stream().map(Part::words).toList());
    }
  }

  /** What no decision may be. */
  private static Optional<String> wrong(
      LifecycleEventFacts event, ClaimInput input, ClaimStep step) {
    return switch (step) {
      case ClaimStep.Finish _, ClaimStep.Mark _, ClaimStep.Verify _ when isAnothers(event, input) ->
          Optional.of("another's event is written to");
      case ClaimStep.Finish _ when event.claim().isTerminal() ->
          Optional.of("an end is believed that nobody decided");
      case ClaimStep.Verify verify
          when !event.claim().isTerminal() || verify.outcome() == ClaimStatus.Succeeded ->
          Optional.of("an end is made up");
      case ClaimStep.Finish finish
          when finish.outcome() == ClaimStatus.Succeeded
              && event.claim() != ClaimStatus.Succeeded
              && !isToldTheEnd(input, event) ->
          Optional.of("success that nobody told");
      case ClaimStep.Finish finish
          when event.claim().isTerminal() && finish.outcome() != event.claim() ->
          Optional.of("an end is changed");
      case ClaimStep.Claim _ when input.kubeletClaims() -> Optional.of("claimed from the kubelet");
      case ClaimStep.Claim _ when event.claim() != ClaimStatus.Pending || event.deleting() ->
          Optional.of("claimed what cannot be");
      case ClaimStep.Reject _ when input.kubeletClaims() || event.deleting() ->
          Optional.of("rejected what is not ours to reject");
      case ClaimStep.Wait wait
          when wait.until().filter(end -> !end.isAfter(input.now())).isPresent() ->
          Optional.of("waits for what is past");
      case ClaimStep.Wait wait when wait.stalled() && wait.until().isEmpty() ->
          Optional.of("stalled for ever");
      case ClaimStep.Wait wait when wait.until().isEmpty() && !isCalling(input) ->
          Optional.of("waits for nothing");
      case ClaimStep.Ask ask when event.deleting() && ask.call() != Call.CANCEL ->
          Optional.of("worked on although it was deleted");
      case ClaimStep.Ask _, ClaimStep.Publish _, ClaimStep.Wait _
          when event.claim() != ClaimStatus.Claimed || isAnothers(event, input) ->
          Optional.of("worked on what is not ours");
      case ClaimStep.Ask _, ClaimStep.Wait _ when event.deleting() && canNobodyAnswer(input) ->
          Optional.of("a deleted event waits for nobody");
      case ClaimStep.Ask _, ClaimStep.Publish _, ClaimStep.Wait _
          when !event.deleting() && !(event.guarded() && event.ours()) ->
          Optional.of("worked on without the marks of a claim");
      case ClaimStep.Leave _, ClaimStep.Warn _
          when !event.isFaulty() && !isAnothers(event, input) ->
          Optional.of("left alone");
      case ClaimStep.Leave _ when event.deleting() && event.guarded() ->
          Optional.of("deletion hangs");
      case ClaimStep.Ask _, ClaimStep.Publish _, ClaimStep.Wait _
          when event.isFaulty() && !event.deleting() ->
          Optional.of("worked on without knowing how long");
      case ClaimStep.Idle _ when isBusy(event, input) -> Optional.of("left alone");
      case ClaimStep.Idle _ when event.deleting() && event.guarded() && !input.kubeletClaims() ->
          Optional.of("deletion hangs");
      default -> Optional.empty();
    };
  }

  /** With a second event that is pending: only one is worked on. */
  private static Optional<String> wrongWithTwo(
      LifecycleEventFacts event, ClaimInput alone, List<Part> parts) {
    if (!isBusy(event, alone)) {
      return Optional.empty();
    }
    LifecycleEventFacts second = but(pending("b"), one -> one.created(1));
    TestClaimInput two = new TestClaimInput().with(second).with(event).now(NOW);
    parts.forEach(part -> part.put().accept(two));
    ClaimStep step = two.decide();
    if (step instanceof ClaimStep.Claim || step instanceof ClaimStep.Reject) {
      return Optional.of("two at once");
    }
    boolean waits = !ClaimDecider.waits(two.input()).getOrDefault("uid-b", "").isEmpty();
    return !two.input().kubeletClaims() && !waits
        ? Optional.of("the second does not say what it waits for")
        : Optional.empty();
  }

  /** The kubelet's, or claimed by somebody who has no driver here. */
  private static boolean isAnothers(LifecycleEventFacts event, ClaimInput input) {
    boolean unmarked = !event.ours() && (!event.guarded() || input.kubeletClaims());
    boolean known =
        input.drivers().containsKey(TRANSITION.driver()) && !input.transitions().isEmpty();
    return unmarked && (input.kubeletClaims() || !known);
  }

  /** Claimed, by whomever: no other is claimed beside it. */
  private static boolean isBusy(LifecycleEventFacts event, ClaimInput input) {
    return event.claim() == ClaimStatus.Claimed && (event.ours() || !input.kubeletClaims());
  }

  private static boolean isToldTheEnd(ClaimInput input, LifecycleEventFacts event) {
    return input
        .callState()
        .filter(state -> state.uid().equals(event.uid()) && state.published())
        .flatMap(DriverCallState::answer)
        .filter(
            answer -> answer instanceof Answer.Told told && told.reason().equals(TRANSITION.end()))
        .isPresent();
  }

  private static boolean isCalling(ClaimInput input) {
    return input.callState().filter(state -> state.answer().isEmpty()).isPresent();
  }

  private static boolean canNobodyAnswer(ClaimInput input) {
    return input.labels().isEmpty()
        || input.transitions().isEmpty()
        || !input.isConnected(TRANSITION.driver());
  }
}
