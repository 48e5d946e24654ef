package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.Talk.Answer;
import dev.drydock.lifecycle.decide.Talk.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The claimer of a node: one event at a time, the oldest first. An event succeeds only by what its
 * driver says about this very event, never by a condition that an earlier one left behind.
 */
public final class ClaimDecider {
  /** How long a driver or transition may be missing before the event fails. */
  public static final Duration GRACE = Duration.ofSeconds(30);

  /** A driver that says at once that it still works is asked again no sooner than this. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  /** A call that nobody answered is made again after this. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** Begins what is said of an event that has to wait for another one of its node. */
  static final String AFTER = "waits for LifecycleEvent ";

  private final ClaimScene scene;

  private ClaimDecider(ClaimScene scene) {
    this.scene = scene;
  }

  public static ClaimStep decide(ClaimScene scene) {
    return new ClaimDecider(scene).step();
  }

  /** What pending events wait for, by their UID. */
  public static Map<String, String> waits(ClaimScene scene) {
    return new ClaimDecider(scene).waits();
  }

  /** Transitions for this node alone whose driver does not come back. */
  public static List<TransitionFacts> orphans(ClaimScene scene) {
    return scene.transitions().values().stream()
        .filter(transition -> transition.coverage().equals(new Coverage.OneNode(scene.node())))
        .filter(transition -> !scene.isConnected(transition.driver()))
        .filter(transition -> isOver(scene, scene.missedSince(transition.driver())))
        .toList();
  }

  /** When the next driver will have been missing for too long. */
  public static Optional<Instant> nextOrphan(ClaimScene scene) {
    return scene.transitions().values().stream()
        .filter(transition -> transition.coverage().equals(new Coverage.OneNode(scene.node())))
        .filter(transition -> !scene.isConnected(transition.driver()))
        .map(transition -> scene.missedSince(transition.driver()).plus(GRACE))
        .filter(scene.now()::isBefore)
        .min(Instant::compareTo);
  }

  private static boolean isOver(ClaimScene scene, Instant missedSince) {
    return !scene.now().isBefore(missedSince.plus(GRACE));
  }

  private ClaimStep step() {
    Optional<EventFacts> ended =
        scene.events().stream()
            .filter(event -> event.ours() && event.claim().isTerminal())
            .filter(event -> event.guarded() || !event.deleting())
            .findFirst();
    if (ended.isPresent()) {
      EventFacts event = ended.get();
      return new ClaimStep.Finish(event, event.claim(), event.message());
    }
    Optional<EventFacts> abandoned =
        scene.events().stream()
            .filter(event -> event.ours() && event.claim() == ClaimStatus.Pending)
            .filter(event -> event.deleting() && event.guarded())
            .findFirst();
    if (abandoned.isPresent()) {
      return failed(abandoned.get(), "deleted before it was claimed");
    }
    return current().map(this::drive).orElseGet(this::claim);
  }

  private Optional<EventFacts> current() {
    return scene.events().stream()
        .filter(event -> event.ours() && event.claim() == ClaimStatus.Claimed)
        .findFirst();
  }

  private ClaimStep claim() {
    if (scene.kubeletClaims() || scene.labels().isEmpty()) {
      return new ClaimStep.Idle();
    }
    for (EventFacts event : pending()) {
      TransitionFacts transition = scene.transitions().get(event.transitionRef());
      if (transition == null) {
        continue;
      }
      if (!transition.coverage().covers(scene.node(), scene.labels().get())) {
        return new ClaimStep.Reject(
            event,
            "LifecycleTransition %s is not for node %s".formatted(transition.ref(), scene.node()));
      }
      if (scene.isConnected(transition.driver())) {
        return new ClaimStep.Claim(event, transition);
      }
    }
    return new ClaimStep.Idle();
  }

  private List<EventFacts> pending() {
    return scene.events().stream()
        .filter(event -> event.claim() == ClaimStatus.Pending)
        .filter(event -> !event.deleting())
        .toList();
  }

  private Map<String, String> waits() {
    if (scene.kubeletClaims()) {
      return Map.of();
    }
    Function<EventFacts, String> why =
        current().<Function<EventFacts, String>>map(first -> _ -> after(first)).orElse(this::lack);
    return pending().stream().collect(Collectors.toMap(EventFacts::uid, why));
  }

  private static String after(EventFacts first) {
    return AFTER + first.ref();
  }

  private String lack(EventFacts event) {
    TransitionFacts transition = scene.transitions().get(event.transitionRef());
    if (transition == null) {
      return "waits for LifecycleTransition %s, which does not exist; see: kubectl get lifecycletransitions"
          .formatted(event.transition());
    }
    return scene.isConnected(transition.driver())
        ? ""
        : "waits for driver %s, which is not registered on node %s"
            .formatted(transition.driver(), scene.node());
  }

  private ClaimStep drive(EventFacts event) {
    if (scene.labels().isEmpty()) {
      return failed(event, "node " + scene.node() + " is gone");
    }
    TransitionFacts transition = scene.transitions().get(event.transitionRef());
    if (transition == null) {
      return lacking(
          event,
          "LifecycleTransition " + event.transition() + " is gone",
          scene.stalled().orElse(scene.now()));
    }
    if (!scene.isConnected(transition.driver())) {
      return lacking(
          event,
          "driver " + transition.driver() + " is gone",
          scene.missedSince(transition.driver()));
    }
    Optional<Talk> talk = scene.talk().filter(said -> said.uid().equals(event.uid()));
    Call due = due(event, talk);
    if (talk.isEmpty() || talk.get().call().compareTo(due) < 0) {
      return new ClaimStep.Ask(event, transition, due);
    }
    Talk last = talk.get();
    return last.answer().isEmpty()
        ? new ClaimStep.Wait(
            event, "the driver works on it", event.sla().filter(scene.now()::isBefore), false)
        : heard(event, transition, last, last.answer().get());
  }

  /** What the driver has to be called for at least. */
  private Call due(EventFacts event, Optional<Talk> talk) {
    if (event.deleting()) {
      return Call.CANCEL;
    }
    if (isLate(event)) {
      return Call.EXPIRE;
    }
    boolean started =
        talk.filter(said -> said.call() != Call.START).isPresent()
            || talk.filter(said -> said.published()).isPresent();
    return started ? Call.END : Call.START;
  }

  private boolean isLate(EventFacts event) {
    return event.sla().filter(end -> !scene.now().isBefore(end)).isPresent();
  }

  /** What has been gone for too long ends the event; so does anything else it waits for. */
  private ClaimStep lacking(EventFacts event, String what, Instant since) {
    if (event.deleting()) {
      return failed(event, "deleted before it was over, and " + what);
    }
    if (isLate(event)) {
      return new ClaimStep.Finish(event, ClaimStatus.SlaExpired, what);
    }
    Instant end = since.plus(GRACE);
    if (!scene.now().isBefore(end)) {
      return failed(event, what + " for " + GRACE.toSeconds() + " s");
    }
    Instant until = event.sla().filter(end::isAfter).orElse(end);
    return new ClaimStep.Wait(event, what + "; it may come back", Optional.of(until), true);
  }

  private ClaimStep heard(EventFacts event, TransitionFacts transition, Talk talk, Answer answer) {
    return switch (answer) {
      case Answer.Told told when !talk.published() ->
          new ClaimStep.Publish(event, told.reason(), told.node());
      case Answer.Told told -> told(event, transition, talk, told.reason());
      case Answer.Refused(String why) ->
          switch (talk.call()) {
            case CANCEL -> failed(event, "deleted before it was over: " + why);
            case EXPIRE -> new ClaimStep.Finish(event, ClaimStatus.SlaExpired, why);
            case START, END -> failed(event, why);
          };
      case Answer.Unreachable(String why) -> again(event, transition, talk, why);
    };
  }

  private ClaimStep told(EventFacts event, TransitionFacts transition, Talk talk, String reason) {
    if (talk.call() == Call.CANCEL) {
      return failed(event, "deleted before it was over");
    }
    if (reason.equals(transition.end())) {
      return new ClaimStep.Finish(event, ClaimStatus.Succeeded, reason);
    }
    if (talk.call() == Call.EXPIRE) {
      return new ClaimStep.Finish(
          event, ClaimStatus.SlaExpired, "not over in time: the driver says " + reason);
    }
    return notBefore(
        talk.called().plus(PERIOD),
        new ClaimStep.Ask(event, transition, Call.END),
        "the driver works on it",
        false);
  }

  private ClaimStep again(EventFacts event, TransitionFacts transition, Talk talk, String why) {
    if (isOver(scene, scene.stalled().orElse(scene.now()))) {
      return talk.call() == Call.EXPIRE
          ? new ClaimStep.Finish(event, ClaimStatus.SlaExpired, why)
          : failed(event, "the driver does not answer: " + why);
    }
    return notBefore(
        talk.called().plus(RETRY),
        new ClaimStep.Ask(event, transition, talk.call()),
        "the driver does not answer: " + why,
        true);
  }

  private ClaimStep notBefore(Instant moment, ClaimStep.Ask ask, String why, boolean stalled) {
    if (!scene.now().isBefore(moment)) {
      return ask;
    }
    Optional<Instant> sla = ask.event().sla().filter(scene.now()::isBefore);
    Instant until = sla.filter(moment::isAfter).orElse(moment);
    return new ClaimStep.Wait(ask.event(), why, Optional.of(until), stalled);
  }

  private static ClaimStep failed(EventFacts event, String why) {
    return new ClaimStep.Finish(event, ClaimStatus.Failed, why);
  }
}
