package dev.drydock.edge.control;

import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.NodeDrainState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent at the edge tells: log lines that operators search for, and how long drains took.
 */
public final class EdgeJournal {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeJournal.class);

  /** Log tools and dashboards know it by this name. */
  public static final String COMPLETION = "kubevirt_node_drain_completion_time_seconds";

  private static final Duration LONGEST = Duration.ofDays(365);

  private final MeterRegistry meters;
  private final Timer completion;
  private final AtomicInteger status = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Sink deviceLog;

  /** Another place for the same lines. */
  @FunctionalInterface
  public interface Sink {
    Sink NONE = (_, _) -> {};

    void line(String level, String message);

    /** The machine is about to go: what was said has to be where people look for it. */
    default void finish() {}
  }

  public EdgeJournal(MeterRegistry meters, Sink deviceLog) {
    this.meters = meters;
    this.deviceLog = deviceLog;
    Gauge.builder("drydock.edge.drain.status", status, AtomicInteger::get)
        .description("The number of the node's NodeDrainStatus, from 0 to 9")
        .register(meters);
    Gauge.builder("drydock.edge.operations.deferred", waiting, AtomicInteger::get)
        .description("Operations on this machine that wait for the drain of its node")
        .register(meters);
    completion =
        Timer.builder("kubevirt.node.drain.completion.time")
            .description("Time from the request of a drain until it was complete")
            .serviceLevelObjectives(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                Duration.ofHours(1),
                Duration.ofHours(4),
                Duration.ofHours(12),
                Duration.ofHours(24))
            .register(meters);
  }

  public void line(String text) {
    LOG.info("{}", text);
    deviceLog.line("info", text);
  }

  public void warn(String text) {
    LOG.warn("{}", text);
    deviceLog.line("warning", text);
  }

  /** For the metrics: the drain as it is, and how many operations wait for it. */
  void now(EdgeDrain drain, int operations) {
    status.set(drain.state().number());
    waiting.set(operations);
  }

  void changed(EdgeDrain before, EdgeDrain after) {
    if (before.state() != after.state()) {
      line(
          "nodedrain-step:changing drainStatus:%s NodeDrainStatus requesters:%s"
              .formatted(after.state(), after.served().keySet().stream().sorted().toList()));
      after.state().consoleLine().ifPresent(this::line);
    }
    if (after.phase() == EdgeDrain.Phase.ENDED && before.phase() != EdgeDrain.Phase.ENDED) {
      Counter.builder("drydock.edge.drains")
          .description("Drains that have ended, by their status and by how they became complete")
          .tag("status", after.state().name())
          .tag("how", after.ending().map(Enum::name).orElse(""))
          .register(meters)
          .increment();
    }
    boolean ends =
        after.state() == NodeDrainState.COMPLETE && before.state() != NodeDrainState.COMPLETE;
    if (ends && after.ending().filter(EdgeDrain.Ending::isMeasured).isPresent()) {
      took(after).ifPresent(this::completed);
    }
  }

  /** Empty if the request does not say when: EVE's programs write a time of the year 1 then. */
  private static Optional<Duration> took(EdgeDrain drain) {
    Instant end = drain.since();
    return drain
        .requestedAt()
        .map(asked -> Duration.between(asked, end))
        .filter(time -> !time.isNegative() && time.compareTo(LONGEST) < 0);
  }

  private void completed(Duration took) {
    completion.record(took);
    line(completionLine(took));
    deviceLog.finish();
  }

  /** The key, a colon and the seconds, and nothing else: log tools cut it there. */
  static String completionLine(Duration took) {
    return "%s:%s"
        .formatted(
            COMPLETION,
            String.format(Locale.ROOT, "%d.%06d", took.toSeconds(), took.toNanosPart() / 1000));
  }
}
