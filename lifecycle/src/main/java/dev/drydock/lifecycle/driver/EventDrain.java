package dev.drydock.lifecycle.driver;

import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.DrainRun;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The drain for one LifecycleEvent. */
final class EventDrain implements DrainListener, AutoCloseable {
  private final String event;
  private final DrainEngine engine;
  private final EventMessageWriter messages;
  private final Runnable changed;
  private volatile @Nullable DrainRun run;
  private volatile Optional<String> uid = Optional.empty();
  private volatile Optional<String> behalf = Optional.empty();
  private volatile Optional<String> stopped = Optional.empty();
  private volatile boolean halted;
  private volatile boolean detached;
  private volatile int remaining;

  EventDrain(String event, DrainEngine engine, EventMessageWriter messages, Runnable changed) {
    this.event = event;
    this.engine = engine;
    this.messages = messages;
    this.changed = changed;
  }

  String event() {
    return event;
  }

  /** Drains, in place of what it did before, unless it was halted. */
  synchronized void drain(DrainTask task) {
    end(run);
    if (halted) {
      return;
    }
    DrainRun next = engine.start(task, this);
    run = next;
    if (halted) {
      next.cancel();
    }
    var _ = next.outcome().thenRun(changed);
  }

  @Override
  public void changed(DrainReport report) {
    remaining = report.decision().progress().remaining();
    messages.changed(report.decision());
  }

  /** Pods that it still waits for, as far as it is known. */
  int remaining() {
    return halted || outcome().isPresent() ? 0 : remaining;
  }

  /** None once it was halted: then the rest is said when it is stopped. */
  Optional<DrainOutcome> outcome() {
    DrainRun now = run;
    return now == null || halted
        ? Optional.empty()
        : Optional.ofNullable(now.outcome().getNow(null));
  }

  /** Which event it is for; another of the same name is another event. */
  Optional<String> uid() {
    return uid;
  }

  void isFor(LifecycleEventObject seen) {
    uid = Optional.of(seen.facts().uid());
    behalf = seen.behalf();
  }

  /** Who else holds the node for it, as its event says. */
  Optional<String> behalf() {
    return behalf;
  }

  /** Nothing more is evicted; what becomes of the node is not settled yet. */
  void halt() {
    halted = true;
    DrainRun now = run;
    if (now != null) {
      now.cancel();
    }
  }

  /** The same, and returns when it is so: from then on its hold is not placed again either. */
  synchronized void end() {
    halt();
    end(run);
  }

  private static void end(@Nullable DrainRun run) {
    if (run != null) {
      run.cancel();
      var _ = run.outcome().join();
    }
  }

  /** Nothing more is evicted, and this is all there is to say. */
  void stop(String why) {
    halt();
    stopped = Optional.of(why);
    changed.run();
  }

  /** What it does now, when it is over. */
  void whenOver(Consumer<DrainOutcome> then) {
    DrainRun now = run;
    if (now != null) {
      var _ = now.outcome().thenAccept(then);
    }
  }

  /** Why it was stopped, if it was. */
  Optional<String> stopped() {
    return stopped;
  }

  /** It goes on without its event. */
  void detach() {
    detached = true;
  }

  boolean isDetached() {
    return detached;
  }

  @Override
  public void close() {
    messages.close();
  }
}
