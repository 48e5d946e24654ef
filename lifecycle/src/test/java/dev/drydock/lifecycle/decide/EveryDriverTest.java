package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.but;
import static dev.drydock.lifecycle.decide.TestClaimInput.claimed;
import static dev.drydock.lifecycle.decide.TestDriverInput.EVENT;
import static dev.drydock.lifecycle.decide.TestDriverInput.OTHER;
import static dev.drydock.lifecycle.decide.TestDriverInput.call;
import static dev.drydock.lifecycle.decide.TestDriverInput.expired;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.DriverDrain.Purpose;
import dev.drydock.lifecycle.decide.DriverDrain.Run;
import dev.drydock.lifecycle.decide.DriverStep.Reply;
import dev.drydock.lifecycle.decide.PendingCall.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What holds for every decision of a driver, by going through all that can come together. */
class EveryDriverTest {
  /** More steps than any way to an answer has. */
  private static final int MANY = 60;

  private static final List<Consumer<TestDriverInput>> EVENTS =
      List.of(
          input -> {},
          input -> input.event(EVENT),
          input -> input.event(but(claimed(EVENT), TestClaimInput.Change::deleted)),
          input -> input.event(but(claimed(EVENT), one -> one.claim(ClaimStatus.Succeeded))),
          input -> input.unreadable(EVENT),
          input -> input.heldBefore(EVENT),
          TestDriverInput::unsynced);

  @Test
  void everyDecisionIsSoundAndEveryCallComesToAnAnswer() {
    int decisions = 0;
    for (Optional<DriverDrain> drain : drains()) {
      for (PendingCall first : calls(1)) {
        for (PendingCall second : calls(2)) {
          for (Consumer<TestDriverInput> event : EVENTS) {
            for (SlaPolicy policy : SlaPolicy.values()) {
              for (boolean keeps : new boolean[] {false, true}) {
                check(drain, List.of(first, second), event, policy, keeps);
                decisions++;
              }
            }
          }
        }
      }
    }
    assertThat(decisions).isGreaterThan(20_000);
  }

  private static List<Optional<DriverDrain>> drains() {
    List<Optional<DriverDrain>> all = new ArrayList<>(List.of(Optional.empty()));
    for (Purpose purpose : Purpose.values()) {
      for (Run run : Run.values()) {
        for (boolean afterSla : new boolean[] {false, true}) {
          for (Optional<String> behalf : List.of(Optional.<String>empty(), Optional.of("m"))) {
            if (afterSla && purpose == Purpose.FOR_EVENT) {
              continue;
            }
            DriverDrain drain =
                DriverDrain.begin(EVENT).identified(TestDriverInput.seen(EVENT, behalf));
            drain = drain.held("reason", afterSla ? Purpose.WITHOUT_EVENT : Purpose.FOR_EVENT);
            drain = drain.started().withPurpose(purpose, "why").ran(run, "message");
            all.add(Optional.of(drain));
          }
        }
      }
    }
    return all;
  }

  private static List<PendingCall> calls(long number) {
    List<PendingCall> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (String event : List.of(EVENT, OTHER)) {
        all.add(call(number, kind, event));
        if (!kind.isStart()) {
          all.add(expired(call(number, kind, event)));
        }
      }
    }
    return all;
  }

  /** Makes the steps as they are decided, with an engine that ends when it is asked to. */
  private static void check(
      Optional<DriverDrain> drain,
      List<PendingCall> calls,
      Consumer<TestDriverInput> event,
      SlaPolicy policy,
      boolean keeps) {
    Driven driven = new Driven(drain, calls);
    List<DriverStep> steps = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < MANY && !driven.calls.isEmpty(); i++) {
      TestDriverInput test = new TestDriverInput().atSla(policy).now(now);
      event.accept(test);
      if (keeps) {
        test.keepsCancelled();
      }
      driven.calls.forEach(test::with);
      driven.drain.ifPresent(test::drain);
      DriverInput input = test.input();
      DriverStep step = DriverDecider.decide(input);
      steps.add(step);
      wrong(input, step)
          .ifPresent(
              why -> {
                throw new AssertionError(why + ": " + steps + " for " + drain + " " + calls);
              });
      if (step instanceof DriverStep.Wait) {
        boolean engine = driven.engineEnds();
        now = engine ? now : 30;
      } else {
        driven.make(step);
      }
    }
    if (!driven.calls.isEmpty()) {
      throw new AssertionError("no answer: " + steps + " for " + drain + " " + calls);
    }
  }

  private static Optional<String> wrong(DriverInput input, DriverStep step) {
    Optional<DriverDrain> drain = input.drain();
    boolean live = drain.filter(DriverDrain::isLive).isPresent();
    return switch (step) {
      case DriverStep.Begin _ when live -> Optional.of("two drains at once");
      case DriverStep.Begin _ when input.isAwaited() -> Optional.of("somebody is forgotten");
      case DriverStep.Drop _ when live || input.isAwaited() -> Optional.of("dropped too soon");
      case DriverStep.StartRun _ when live -> Optional.of("two runs at once");
      case DriverStep.StartRun _
          when drain.orElseThrow().purpose() == Purpose.STOPPED
              || drain.orElseThrow().purpose() == Purpose.CANCELLED ->
          Optional.of("a stopped drain goes on");
      case DriverStep.StartRun _ when drain.orElseThrow().hold().isEmpty() ->
          Optional.of("drains what is not held");
      case DriverStep.PlaceHold _
          when drain.flatMap(DriverDrain::found).flatMap(DriverDrain.HoldFound::loss).isPresent() ->
          Optional.of("holds again what a person gave back");
      case DriverStep.Release _ when live -> Optional.of("released before it was stopped");
      case DriverStep.Uncordon _ when drain.isPresent() -> Optional.of("given back too soon");
      case DriverStep.CancelRun _ when drain.orElseThrow().run() != Run.RUNNING ->
          Optional.of("cancels nothing");
      case DriverStep.Release _ when !input.policy().uncordonWhenCancelled() ->
          Optional.of("released against the settings");
      case DriverStep.Answer(PendingCall call, Reply.Told(String reason))
          when call.kind().isDrain() && reason.equals(call.end()) && !isEmpty(call) ->
          Optional.of("complete without a look");
      case DriverStep.Answer(PendingCall call, Reply.Told(String reason))
          when !call.kind().isDrain()
              && reason.equals(call.end())
              && call.uncordoned().filter(node -> !node.unschedulable()).isEmpty() ->
          Optional.of("given back without a look");
      case DriverStep.Wait(Optional<Instant> until)
          when until.filter(end -> end.isAfter(input.now())).isEmpty()
              && !input.calls().isEmpty() ->
          Optional.of("waits for ever");
      default -> Optional.empty();
    };
  }

  private static boolean isEmpty(PendingCall call) {
    return call.check().filter(check -> check.left().isEmpty()).isPresent();
  }

  /** A driver whose requests all succeed. */
  private static final class Driven {
    private Optional<DriverDrain> drain;
    private List<PendingCall> calls;

    Driven(Optional<DriverDrain> drain, List<PendingCall> calls) {
      this.drain = drain;
      this.calls = new ArrayList<>(calls);
    }

    boolean engineEnds() {
      boolean live = drain.filter(DriverDrain::isLive).isPresent();
      drain =
          drain.map(
              now ->
                  switch (now.run()) {
                    case CANCELLING -> now.ran(Run.NONE, "");
                    case RUNNING -> now.ran(Run.DONE, "drained");
                    case NONE, DONE, FAILED -> now;
                  });
      return live;
    }

    void make(DriverStep step) {
      switch (step) {
        case DriverStep.Answer answer ->
            calls.removeIf(call -> call.number() == answer.call().number());
        case DriverStep.Join(PendingCall call) -> change(call, call.withJoined(true));
        case DriverStep.Begin(PendingCall call, var seen) -> {
          drain = Optional.of(DriverDrain.begin(call.event()));
          seen.ifPresent(known -> drain = drain.map(now -> now.identified(known)));
          change(call, call.withJoined(true));
        }
        case DriverStep.Identify(var seen) -> drain = drain.map(now -> now.identified(seen));
        case DriverStep.ChangePurpose(Purpose purpose, String why) ->
            drain = drain.map(now -> now.withPurpose(purpose, why));
        case DriverStep.PlaceHold hold ->
            drain = drain.map(now -> now.held(hold.reason(), hold.purpose()));
        case DriverStep.NoteHold() -> drain = drain.map(DriverDrain::withNote);
        case DriverStep.CheckHold _ ->
            drain =
                drain.map(now -> now.withHoldFound(new DriverDrain.HoldFound(Optional.of("lost"))));
        case DriverStep.StartRun() -> drain = drain.map(DriverDrain::started);
        case DriverStep.CancelRun() -> drain = drain.map(now -> now.ran(Run.CANCELLING, ""));
        case DriverStep.Release() ->
            drain = drain.map(now -> now.withPurpose(Purpose.STOPPED, now.why()));
        case DriverStep.ReleaseToOther _ -> drain = drain.map(DriverDrain::withReleaseToOther);
        case DriverStep.Drop() -> drain = Optional.empty();
        case DriverStep.CheckNode(PendingCall call) ->
            change(call, call.withCheck(new PendingCall.Check(true, List.of())));
        case DriverStep.Uncordon(PendingCall call) ->
            change(
                call,
                call.withUncordoned(new PendingCall.Uncordoned(true, List.of("other")), false));
        case DriverStep.ReadHolds(PendingCall call) ->
            change(call, call.withUncordoned(new PendingCall.Uncordoned(false, List.of()), true));
        case DriverStep.WriteMessage(PendingCall call, String _) ->
            change(call, call.withMessageWritten());
        case DriverStep.Resume(), DriverStep.Wait _ -> {}
      }
    }

    private void change(PendingCall call, PendingCall changed) {
      calls.replaceAll(each -> each.number() == call.number() ? changed : each);
    }
  }
}
