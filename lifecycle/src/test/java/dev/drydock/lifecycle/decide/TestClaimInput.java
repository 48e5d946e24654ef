package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.decide.DriverCallState.Answer;
import dev.drydock.lifecycle.decide.DriverCallState.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** An input to be changed bit by bit: a node with a connected driver and no events. */
final class TestClaimInput {
  static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  static final String NODE = "n1";
  static final String DRIVER = "drain.slm.k8s.io";
  static final LifecycleRef DRAIN = new LifecycleRef(LifecycleNames.COMPAT_GROUP, "drain");
  static final TransitionFacts TRANSITION =
      new TransitionFacts(
          DRAIN,
          "uid-of-drain",
          false,
          "drain-started",
          "drain-complete",
          new NodeCoverage.AllNodes(),
          Optional.of(Duration.ofMinutes(5)),
          DRIVER);

  private final List<LifecycleEventFacts> events = new ArrayList<>();
  private final Map<LifecycleRef, TransitionFacts> transitions =
      new HashMap<>(Map.of(DRAIN, TRANSITION));
  private final Map<String, DriverPresence> drivers =
      new HashMap<>(Map.of(DRIVER, DriverPresence.CONNECTED));
  private final Map<String, Instant> unchanged = new HashMap<>();
  private final Set<String> warned = new HashSet<>();
  private final Set<String> decided = new HashSet<>();
  private Optional<Map<String, String>> labels = Optional.of(Map.of());
  private boolean kubeletClaims;
  private Optional<DriverCallState> callState = Optional.empty();
  private Optional<Instant> stalled = Optional.empty();
  private Instant now = START;

  static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  /** Nobody has touched it yet. */
  static LifecycleEventFacts pending(String name) {
    return new LifecycleEventFacts(
        new LifecycleRef(LifecycleNames.COMPAT_GROUP, name),
        "uid-" + name,
        DRAIN.name(),
        START,
        false,
        false,
        false,
        ClaimStatus.Pending,
        Optional.empty(),
        "",
        "");
  }

  /** By us, with five minutes to go from the start. */
  static LifecycleEventFacts claimed(String name) {
    return Change.of(pending(name)).ours().claim(ClaimStatus.Claimed).sla(at(300)).facts();
  }

  TestClaimInput with(LifecycleEventFacts event) {
    events.add(event);
    return this;
  }

  TestClaimInput transition(TransitionFacts transition) {
    transitions.put(transition.ref(), transition);
    return this;
  }

  TestClaimInput withoutTransitions() {
    transitions.clear();
    return this;
  }

  TestClaimInput driverGone(long since) {
    drivers.put(DRIVER, DriverPresence.deregistered(at(since)));
    return this;
  }

  /** Registered, but nobody answers. */
  TestClaimInput driverSilent(long since) {
    drivers.put(DRIVER, new DriverPresence(Optional.of(at(since)), Optional.empty()));
    return this;
  }

  TestClaimInput decided(String event) {
    decided.add("uid-" + event);
    return this;
  }

  TestClaimInput driverNeverSeen() {
    drivers.clear();
    return this;
  }

  TestClaimInput unchanged(String event, long since) {
    unchanged.put("uid-" + event, at(since));
    return this;
  }

  TestClaimInput warned(String event) {
    warned.add("uid-" + event);
    return this;
  }

  TestClaimInput nodeGone() {
    labels = Optional.empty();
    return this;
  }

  TestClaimInput kubeletClaims() {
    kubeletClaims = true;
    return this;
  }

  TestClaimInput calling(String event, Call call, long called) {
    callState = Optional.of(DriverCallState.calling("uid-" + event, call, at(called)));
    return this;
  }

  TestClaimInput heard(String event, Call call, long called, Answer answer) {
    callState =
        Optional.of(DriverCallState.calling("uid-" + event, call, at(called)).answered(answer));
    return this;
  }

  TestClaimInput published() {
    callState = callState.map(DriverCallState::publish);
    return this;
  }

  TestClaimInput stalled(long since) {
    stalled = Optional.of(at(since));
    return this;
  }

  TestClaimInput now(long seconds) {
    now = at(seconds);
    return this;
  }

  ClaimInput input() {
    return new ClaimInput(
        NODE,
        labels,
        events,
        transitions,
        drivers,
        START,
        kubeletClaims,
        callState,
        stalled,
        unchanged,
        warned,
        decided,
        now);
  }

  ClaimStep decide() {
    return ClaimDecider.decide(input());
  }

  /** One event with something different about it. */
  record Change(LifecycleEventFacts facts) {
    static Change of(LifecycleEventFacts facts) {
      return new Change(facts);
    }

    Change ours() {
      return new Change(
          new LifecycleEventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              facts.deleting(),
              true,
              true,
              facts.claim(),
              facts.sla(),
              facts.message(),
              facts.fault()));
    }

    Change claim(ClaimStatus claim) {
      return status(claim, facts.sla(), facts.message());
    }

    Change sla(Instant end) {
      return status(facts.claim(), Optional.of(end), facts.message());
    }

    Change message(String message) {
      return status(facts.claim(), facts.sla(), message);
    }

    private Change status(ClaimStatus claim, Optional<Instant> sla, String message) {
      return new Change(
          new LifecycleEventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              facts.deleting(),
              facts.guarded(),
              facts.ours(),
              claim,
              sla,
              message,
              facts.fault()));
    }

    Change marks(boolean deleting, boolean guarded, boolean ours) {
      return new Change(
          new LifecycleEventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              deleting,
              guarded,
              ours,
              facts.claim(),
              facts.sla(),
              facts.message(),
              facts.fault()));
    }

    Change fault(String fault) {
      return new Change(
          new LifecycleEventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              facts.deleting(),
              facts.guarded(),
              facts.ours(),
              facts.claim(),
              facts.sla(),
              facts.message(),
              fault));
    }

    Change deleted() {
      return marks(true, facts.guarded(), facts.ours());
    }

    Change created(long seconds) {
      return new Change(
          new LifecycleEventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              at(seconds),
              facts.deleting(),
              facts.guarded(),
              facts.ours(),
              facts.claim(),
              facts.sla(),
              facts.message(),
              facts.fault()));
    }
  }

  static LifecycleEventFacts but(LifecycleEventFacts event, UnaryOperator<Change> change) {
    return change.apply(Change.of(event)).facts();
  }
}
