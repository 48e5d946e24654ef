package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.at;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.decide.PendingCall.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** An input to be changed bit by bit: a driver that has looked around and has nothing to do. */
final class TestDriverInput {
  static final String NODE = "n1";
  static final String EVENT = "a";
  static final String OTHER = "b";

  private final List<PendingCall> calls = new ArrayList<>();
  private final List<DriverInput.SeenEvent> events = new ArrayList<>();
  private SlaPolicy atSla = SlaPolicy.STOP;
  private boolean uncordonWhenCancelled = true;
  private Optional<DriverDrain> drain = Optional.empty();
  private boolean synced = true;
  private boolean schedulable;
  private boolean resumed = true;
  private Instant now = at(0);

  /** The first one's number is 1; all have 30 seconds from the start. */
  static PendingCall call(long number, Kind kind, String event) {
    boolean drains = kind.isDrain();
    return PendingCall.of(
        number,
        kind,
        event,
        drains ? LifecycleNames.DRAIN_STARTED : LifecycleNames.UNCORDONING,
        drains ? LifecycleNames.DRAIN_COMPLETE : LifecycleNames.MAINTENANCE_COMPLETE,
        false,
        at(30));
  }

  static PendingCall expired(PendingCall call) {
    return PendingCall.of(
        call.number(), call.kind(), call.event(), call.start(), call.end(), true, call.deadline());
  }

  /** Held and under way for an event that was seen. */
  static DriverDrain running(String event) {
    return held(event).started();
  }

  static DriverDrain held(String event) {
    return DriverDrain.begin(event)
        .identified(seen(event, Optional.empty()))
        .held("LifecycleEvent " + event, DriverDrain.Purpose.FOR_EVENT)
        .withNote();
  }

  static DriverInput.SeenEvent seen(String event, Optional<String> behalf) {
    return new DriverInput.SeenEvent(TestClaimInput.claimed(event), behalf, false);
  }

  TestDriverInput with(PendingCall call) {
    calls.add(call);
    return this;
  }

  TestDriverInput drain(DriverDrain given) {
    drain = Optional.of(given);
    return this;
  }

  TestDriverInput event(LifecycleEventFacts event) {
    events.add(new DriverInput.SeenEvent(event, Optional.empty(), false));
    return this;
  }

  /** One for which the driver held the node before a restart. */
  TestDriverInput heldBefore(String event) {
    events.add(new DriverInput.SeenEvent(TestClaimInput.claimed(event), Optional.empty(), true));
    return this;
  }

  TestDriverInput event(String event) {
    return event(TestClaimInput.claimed(event));
  }

  TestDriverInput atSla(SlaPolicy policy) {
    atSla = policy;
    return this;
  }

  TestDriverInput keepsCancelled() {
    uncordonWhenCancelled = false;
    return this;
  }

  TestDriverInput unreadable(String event) {
    return event(TestClaimInput.but(TestClaimInput.claimed(event), one -> one.fault("odd")));
  }

  TestDriverInput unsynced() {
    synced = false;
    return this;
  }

  TestDriverInput schedulable() {
    schedulable = true;
    return this;
  }

  TestDriverInput fresh() {
    resumed = false;
    return this;
  }

  TestDriverInput now(long seconds) {
    now = at(seconds);
    return this;
  }

  TestDriverInput but(UnaryOperator<TestDriverInput> change) {
    return change.apply(this);
  }

  DriverInput input() {
    return new DriverInput(
        new DriverInput.Policy(NODE, atSla, uncordonWhenCancelled),
        calls,
        drain,
        events,
        synced,
        schedulable,
        resumed,
        now);
  }

  DriverStep decide() {
    return DriverDecider.decide(input());
  }
}
