package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.decide.Talk.Answer;
import dev.drydock.lifecycle.decide.Talk.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A scene to be changed bit by bit: a node with a connected driver and no events. */
final class TestScene {
  static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  static final String NODE = "n1";
  static final String DRIVER = "drain.slm.k8s.io";
  static final Ref DRAIN = new Ref(LifecycleNames.COMPAT_GROUP, "drain");
  static final TransitionFacts TRANSITION =
      new TransitionFacts(
          DRAIN,
          "drain-started",
          "drain-complete",
          new Coverage.AllNodes(),
          Optional.of(Duration.ofMinutes(5)),
          DRIVER);

  private final List<EventFacts> events = new ArrayList<>();
  private final Map<Ref, TransitionFacts> transitions = new HashMap<>(Map.of(DRAIN, TRANSITION));
  private final Map<String, Optional<Instant>> drivers =
      new HashMap<>(Map.of(DRIVER, Optional.empty()));
  private Optional<Map<String, String>> labels = Optional.of(Map.of());
  private boolean kubeletClaims;
  private Optional<Talk> talk = Optional.empty();
  private Optional<Instant> stalled = Optional.empty();
  private Instant now = START;

  static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  /** Nobody has touched it yet. */
  static EventFacts pending(String name) {
    return new EventFacts(
        new Ref(LifecycleNames.COMPAT_GROUP, name),
        "uid-" + name,
        DRAIN.name(),
        START,
        false,
        false,
        false,
        ClaimStatus.Pending,
        Optional.empty(),
        "");
  }

  /** By us, with five minutes to go from the start. */
  static EventFacts claimed(String name) {
    return Change.of(pending(name)).ours().claim(ClaimStatus.Claimed).sla(at(300)).facts();
  }

  TestScene with(EventFacts event) {
    events.add(event);
    return this;
  }

  TestScene transition(TransitionFacts transition) {
    transitions.put(transition.ref(), transition);
    return this;
  }

  TestScene withoutTransitions() {
    transitions.clear();
    return this;
  }

  TestScene driverGone(long since) {
    drivers.put(DRIVER, Optional.of(at(since)));
    return this;
  }

  TestScene driverNeverSeen() {
    drivers.clear();
    return this;
  }

  TestScene nodeGone() {
    labels = Optional.empty();
    return this;
  }

  TestScene kubeletClaims() {
    kubeletClaims = true;
    return this;
  }

  TestScene calling(String event, Call call, long called) {
    talk = Optional.of(Talk.calling("uid-" + event, call, at(called)));
    return this;
  }

  TestScene heard(String event, Call call, long called, Answer answer) {
    talk = Optional.of(Talk.calling("uid-" + event, call, at(called)).answered(answer));
    return this;
  }

  TestScene published() {
    talk = talk.map(Talk::publish);
    return this;
  }

  TestScene stalled(long since) {
    stalled = Optional.of(at(since));
    return this;
  }

  TestScene now(long seconds) {
    now = at(seconds);
    return this;
  }

  ClaimScene scene() {
    return new ClaimScene(
        NODE, labels, events, transitions, drivers, START, kubeletClaims, talk, stalled, now);
  }

  ClaimStep decide() {
    return ClaimDecider.decide(scene());
  }

  /** One event with something different about it. */
  record Change(EventFacts facts) {
    static Change of(EventFacts facts) {
      return new Change(facts);
    }

    Change ours() {
      return new Change(
          new EventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              facts.deleting(),
              true,
              true,
              facts.claim(),
              facts.sla(),
              facts.message()));
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
          new EventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              facts.deleting(),
              facts.guarded(),
              facts.ours(),
              claim,
              sla,
              message));
    }

    Change marks(boolean deleting, boolean guarded, boolean ours) {
      return new Change(
          new EventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              facts.created(),
              deleting,
              guarded,
              ours,
              facts.claim(),
              facts.sla(),
              facts.message()));
    }

    Change deleted() {
      return marks(true, facts.guarded(), facts.ours());
    }

    Change created(long seconds) {
      return new Change(
          new EventFacts(
              facts.ref(),
              facts.uid(),
              facts.transition(),
              at(seconds),
              facts.deleting(),
              facts.guarded(),
              facts.ours(),
              facts.claim(),
              facts.sla(),
              facts.message()));
    }
  }

  static EventFacts but(EventFacts event, UnaryOperator<Change> change) {
    return change.apply(Change.of(event)).facts();
  }
}
