package dev.drydock.lifecycle.driver;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainRun;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.decide.DriverDecider;
import dev.drydock.lifecycle.decide.DriverDrain;
import dev.drydock.lifecycle.decide.DriverInput;
import dev.drydock.lifecycle.decide.DriverStep;
import dev.drydock.lifecycle.decide.PendingCall;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the steps of a drain driver, and keeps its drain. Used by the driver's loop alone. */
final class DriverActions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverActions.class);

  private final DrainDriver.Settings settings;
  private final Kube kube;
  private final DrainEngine engine;
  private final LifecycleNodeCaches caches;
  private final DriverCalls calls;
  private final Runnable wake;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final DriverNode node;
  private final Queue<Runnable> heard = new ConcurrentLinkedQueue<>();
  private Optional<DriverDrain> drain = Optional.empty();
  private @Nullable DrainRun run;
  private @Nullable EventMessageWriter messages;
  private volatile int remaining;

  DriverActions(
      DrainDriver.Settings settings,
      Kube kube,
      DrainEngine engine,
      LifecycleNodeCaches caches,
      DriverCalls calls,
      Runnable wake) {
    this.settings = settings;
    this.kube = kube;
    this.engine = engine;
    this.caches = caches;
    this.calls = calls;
    this.wake = wake;
    writer = new LifecycleEventWriter(kube.http());
    reporter = new NodeTransitionReporter(kube);
    node = new DriverNode(settings, engine, kube.clock());
  }

  /** Takes note of what the engine has said since. */
  void hear() {
    for (Runnable next = heard.poll(); next != null; next = heard.poll()) {
      next.run();
    }
  }

  Optional<DriverDrain> drain() {
    return drain.map(now -> now.left(remaining));
  }

  int remaining() {
    return remaining;
  }

  /** A failure of what is done for a call is the answer to it. */
  void perform(DriverStep step) {
    Bugs.run(() -> answering(step), bug -> step.forCall().ifPresent(call -> calls.fail(call, bug)));
  }

  private void answering(DriverStep step) {
    try {
      act(step);
    } catch (ApiFailure | HoldsUnreadable failure) {
      if (step.forCall().isEmpty()) {
        explain(step, failure);
        throw failure;
      }
      calls.answer(step.forCall().get(), reply(step, failure));
      dropUnheld();
    }
  }

  /** A node that cannot be released now is released later; its event says what is in the way. */
  private void explain(DriverStep step, ExpectedFailure failure) {
    if (step instanceof DriverStep.Release && messages != null) {
      messages.say("cannot release the node: " + failure.getMessage());
    }
  }

  private static DriverStep.Reply reply(DriverStep step, ExpectedFailure failure) {
    String why = attempted(step) + failure.getMessage();
    return failure instanceof ApiFailure refused && refused.isRetriable()
        ? new DriverStep.Reply.Unavailable(why)
        : new DriverStep.Reply.Failed(why);
  }

  /** What failed, in the words of the original driver. */
  private static String attempted(DriverStep step) {
    return switch (step) {
      case DriverStep.PlaceHold _ -> "cordon node: ";
      case DriverStep.Uncordon _ -> "uncordon node: ";
      case DriverStep.CheckNode _ -> "list pods: ";
      case DriverStep.CheckHold _, DriverStep.ReadHolds _ -> "get node: ";
      default -> "";
    };
  }

  /** A drain whose node could not be held has not begun. */
  private void dropUnheld() {
    if (drain.filter(now -> now.hold().isEmpty()).isPresent()) {
      drop();
    }
  }

  private void act(DriverStep step) {
    switch (step) {
      case DriverStep.Answer(PendingCall call, DriverStep.Reply reply) -> {
        LOG.debug("LifecycleEvent {}: {}", call.event(), reply);
        calls.answer(call, reply);
      }
      case DriverStep.Join(PendingCall call) -> calls.change(call, one -> one.withJoined(true));
      case DriverStep.Begin begin -> begin(begin);
      case DriverStep.Identify(DriverInput.SeenEvent seen) -> change(now -> now.identified(seen));
      case DriverStep.ChangePurpose(DriverDrain.Purpose purpose, String why) ->
          changePurpose(purpose, why);
      case DriverStep.PlaceHold hold -> {
        node.hold(hold.reason());
        change(now -> now.held(hold.reason(), hold.purpose()));
      }
      case DriverStep.CheckHold _ -> {
        DriverDrain.HoldFound found = node.found(drain.orElseThrow().behalf());
        change(now -> now.withHoldFound(found));
      }
      case DriverStep.NoteHold() -> noteHold();
      case DriverStep.StartRun() -> startRun();
      case DriverStep.CancelRun() -> cancelRun();
      case DriverStep.Release() -> {
        node.release();
        changePurpose(DriverDrain.Purpose.STOPPED, drain.orElseThrow().why());
      }
      case DriverStep.ReleaseToOther _ -> {
        if (drain.orElseThrow().isHeldByOther(node.holds())) {
          node.release();
        }
        change(DriverDrain::withReleaseToOther);
      }
      case DriverStep.Drop() -> drop();
      case DriverStep.CheckNode(PendingCall call) -> {
        PendingCall.Check found = new PendingCall.Check(node.own().isPresent(), node.left());
        calls.change(call, one -> one.withCheck(found));
      }
      case DriverStep.Uncordon(PendingCall call) -> uncordon(call);
      case DriverStep.ReadHolds(PendingCall call) -> uncordoned(call, node.holds(), true, false);
      case DriverStep.WriteMessage(PendingCall call, String what) -> writeMessage(call, what);
      case DriverStep.Resume() -> resume();
      case DriverStep.Wait _ -> {}
    }
  }

  private void change(UnaryOperator<DriverDrain> change) {
    drain = drain.map(change);
  }

  private void begin(DriverStep.Begin begin) {
    drop();
    String event = begin.call().event();
    DriverDrain next = DriverDrain.begin(event);
    put(begin.seen().map(next::identified).orElse(next));
    calls.change(begin.call(), one -> one.withJoined(true));
    LOG.info("LifecycleEvent {}: draining node {}", event, settings.node());
  }

  private void put(DriverDrain next) {
    drain = Optional.of(next);
    messages =
        new EventMessageWriter(kube, next.event(), () -> seen(next.event()), writer, reporter);
  }

  private Optional<LifecycleEventObject> seen(String event) {
    return DriverInput.meant(caches.events(), event, LifecycleEventObject::facts);
  }

  private void changePurpose(DriverDrain.Purpose purpose, String why) {
    change(now -> now.withPurpose(purpose, why));
    if (!why.isEmpty()) {
      LOG.info("drain of node {}: {}: {}", settings.node(), purpose, why);
    }
  }

  /** Best effort: without the note a restarted driver holds the node again. */
  private void noteHold() {
    Optional<String> uid = drain.flatMap(DriverDrain::uid);
    caches.events().stream()
        .filter(event -> uid.filter(event.uid()::equals).isPresent())
        .findFirst()
        .ifPresent(
            event -> {
              try {
                writer.noteHeld(event, settings.holder());
              } catch (ApiFailure refused) {
                if (refused.isRetriable()) {
                  throw refused;
                }
                LOG.warn(
                    "LifecycleEvent {} cannot say that node {} is held for it: {}",
                    event.facts().ref(),
                    settings.node(),
                    refused.getMessage());
              }
            });
    change(DriverDrain::withNote);
  }

  private void startRun() {
    DriverDrain now = drain.orElseThrow();
    DriverDrain started = now.started();
    EventMessageWriter told = messages;
    DrainRun next =
        engine.start(
            node.task(now.hold(), started.afterSla()),
            report -> {
              remaining = report.decision().progress().remaining();
              if (told != null) {
                told.changed(report.decision());
              }
            });
    run = next;
    drain = Optional.of(started);
    var _ =
        next.outcome()
            .thenAccept(
                outcome -> {
                  heard.add(() -> ended(next, outcome));
                  wake.run();
                });
  }

  private void cancelRun() {
    change(DriverDrain::cancelling);
    if (run != null) {
      run.cancel();
    }
  }

  private void ended(DrainRun past, DrainOutcome outcome) {
    if (!past.equals(run)) {
      return;
    }
    run = null;
    remaining = 0;
    change(now -> now.ended(outcome));
  }

  private void drop() {
    drain = Optional.empty();
    run = null;
    remaining = 0;
    if (messages != null) {
      messages.close();
      messages = null;
    }
    calls.changeAll(call -> call.withJoined(false));
  }

  /** An End has to know whether the node was in service before it. */
  private void uncordon(PendingCall call) {
    boolean out = !call.kind().isStart() && node.holds().unschedulable();
    uncordoned(call, node.uncordon(), false, out);
  }

  private void uncordoned(PendingCall call, Holds holds, boolean again, boolean wasOut) {
    PendingCall.Uncordoned now =
        new PendingCall.Uncordoned(
            holds.unschedulable(), List.copyOf(holds.byHolder().keySet()), wasOut);
    calls.change(call, one -> one.withUncordoned(now, again));
  }

  private void writeMessage(PendingCall call, String what) {
    seen(call.event())
        .filter(event -> !event.facts().message().equals(what))
        .ifPresent(event -> writer.writeMessage(event, what));
    calls.change(call, PendingCall::withMessageWritten);
  }

  /** Takes up a drain that an earlier process left without an event. */
  void resume() {
    Optional<String> reason =
        node.own().map(Hold::reason).filter(text -> text.startsWith(DriverDecider.WITHOUT_EVENT));
    if (reason.isPresent()) {
      String event = reason.get().substring(DriverDecider.WITHOUT_EVENT.length());
      LOG.info("continuing the drain that LifecycleEvent {} started", event);
      put(DriverDrain.resume(event, reason.get()));
    }
  }

  @Override
  public void close() {
    if (messages != null) {
      messages.close();
    }
  }
}
