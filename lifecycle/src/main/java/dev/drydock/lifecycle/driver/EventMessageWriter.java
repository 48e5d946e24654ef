package dev.drydock.lifecycle.driver;

import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.WakeUp;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on a LifecycleEvent what holds its drain up, for people: on change only, not too often, and
 * never in the way of the drain.
 */
final class EventMessageWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventMessageWriter.class);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);
  private static final int BLOCKERS_SHOWN = 3;

  /** What a drain says that is not held up any more. */
  private static final String GOES_ON = "draining";

  /** Without their number, which changes all the time. */
  private static final String STOPPING = "waits for pods to stop";

  private final Supplier<Optional<LifecycleEventObject>> event;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final WakeUp bell = new WakeUp();
  private volatile String text = "";
  private volatile boolean closed;
  private String written = "";
  private boolean told;

  /**
   * @param event as it is now
   */
  EventMessageWriter(
      Supplier<Optional<LifecycleEventObject>> event,
      LifecycleEventWriter writer,
      NodeTransitionReporter reporter) {
    this.event = event;
    this.writer = writer;
    this.reporter = reporter;
    Thread.ofVirtual().name("remarks").start(this::run);
  }

  void changed(Decision decision) {
    if (decision.isBlind()) {
      return;
    }
    boolean blocked =
        decision.status() != Decision.Status.DRAINING && !decision.blockers().isEmpty();
    Decision.Progress progress = decision.progress();
    if (blocked) {
      say(words(decision));
    } else if (progress.remaining() > 0 && progress.stopping() == progress.remaining()) {
      say(STOPPING);
    } else if (!text.isEmpty()) {
      say(GOES_ON);
    }
  }

  void say(String newText) {
    if (!newText.equals(text)) {
      text = newText;
      bell.ring();
    }
  }

  private static String words(Decision decision) {
    int more = decision.blockers().size() - BLOCKERS_SHOWN;
    return decision.blockers().stream()
            .limit(BLOCKERS_SHOWN)
            .map(EventMessageWriter::line)
            .collect(Collectors.joining("; "))
        + (more > 0 ? "; and " + more + " more" : "");
  }

  /** Advice that names a flag is for people with another command. */
  private static String line(Blocker blocker) {
    return blocker.next().contains("--") ? blocker.facts() : blocker.line();
  }

  private void run() {
    try {
      while (!closed) {
        bell.await(LONGEST_WAIT);
        bell.gather(BETWEEN_WRITES); // what is over at once need not be said
        write();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    String now = text;
    if (closed || now.equals(written)) {
      return;
    }
    event
        .get()
        .filter(seen -> !seen.facts().claim().isTerminal())
        .ifPresent(
            seen -> {
              try {
                var _ = writer.remark(seen, now);
                written = now;
                tell(seen, now);
              } catch (ApiFailure later) {
                LOG.warn("LifecycleEvent {}: {}", seen.facts().ref(), later.getMessage());
              }
            });
  }

  private void tell(LifecycleEventObject seen, String now) {
    LOG.info("LifecycleEvent {}: {}", seen.facts().ref(), now);
    if (!told && !now.equals(GOES_ON) && !now.equals(STOPPING)) {
      told = true;
      reporter.tell(
          seen.node(),
          Optional.empty(),
          NodeTransitionReporter.Reason.LifecycleEventBlocked,
          seen.facts().ref() + ": " + now);
    }
  }

  @Override
  public void close() {
    closed = true;
    bell.ring();
  }
}
