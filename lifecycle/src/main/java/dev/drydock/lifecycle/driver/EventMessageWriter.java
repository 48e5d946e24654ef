package dev.drydock.lifecycle.driver;

import dev.drydock.contracts.NameLists;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on a LifecycleEvent what holds its drain up, for people: on change only, not too often, and
 * never in the way of the drain.
 */
final class EventMessageWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventMessageWriter.class);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);
  private static final int BLOCKERS_SHOWN = 3;

  /** What a drain says that is not held up any more. */
  private static final String DRAINING = "draining";

  /** Without their number, which changes all the time. */
  private static final String STOPPING = "waits for pods to stop";

  private final Supplier<Optional<LifecycleEventObject>> event;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final ControlLoop loop;
  private volatile String text = "";
  private volatile String written = "";
  private boolean told;

  /**
   * @param name of the event
   * @param event as it is now
   */
  EventMessageWriter(
      Kube kube,
      String name,
      Supplier<Optional<LifecycleEventObject>> event,
      LifecycleEventWriter writer,
      NodeTransitionReporter reporter) {
    this.event = event;
    this.writer = writer;
    this.reporter = reporter;
    // what is over at once need not be said
    loop =
        kube.loop("event-messages", name, ControlLoop.Debounce.fixed(BETWEEN_WRITES), this::write);
  }

  void changed(Decision decision) {
    boolean blocked =
        decision.status() != Decision.Status.DRAINING && !decision.blockers().isEmpty();
    Decision.Progress progress = decision.progress();
    if (blocked) {
      say(words(decision));
    } else if (progress.remaining() > 0 && progress.stopping() == progress.remaining()) {
      say(STOPPING);
    } else if (!text.isEmpty()) {
      say(written.isEmpty() ? "" : DRAINING);
    }
  }

  void say(String newText) {
    if (!newText.equals(text)) {
      text = newText;
      loop.wake();
    }
  }

  private static String words(Decision decision) {
    return NameLists.sentences(
        decision.blockers().stream().map(Blocker::lineWithoutFlags).toList(), BLOCKERS_SHOWN);
  }

  private Instant write() {
    String now = text;
    if (!now.equals(written)) {
      event
          .get()
          .filter(seen -> !seen.facts().claim().isTerminal())
          .ifPresent(
              seen -> {
                var _ = writer.writeMessage(seen, now);
                written = now;
                record(seen, now);
              });
    }
    return Instant.MAX;
  }

  private void record(LifecycleEventObject seen, String now) {
    LOG.info("LifecycleEvent {}: {}", seen.facts().ref(), now);
    if (!told && !now.equals(DRAINING) && !now.equals(STOPPING)) {
      told = true;
      reporter.record(
          seen.node(),
          Optional.empty(),
          NodeTransitionReporter.Reason.LifecycleEventBlocked,
          seen.facts().ref() + ": " + now);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
