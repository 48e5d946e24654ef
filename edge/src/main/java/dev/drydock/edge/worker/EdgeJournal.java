package dev.drydock.edge.worker;

import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.NodeDrainState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent at the edge tells: log lines that operators search for, and how long drains took.
 */
public final class EdgeJournal {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeJournal.class);

  /** Log tools and dashboards know it by this name. */
  public static final String COMPLETION = "kubevirt_node_drain_completion_time_seconds";

  private final Timer completion;
  private final Sink deviceLog;

  /** Another place for the same lines. */
  @FunctionalInterface
  public interface Sink {
    Sink NONE = (_, _) -> {};

    void line(String level, String message);
  }

  public EdgeJournal(MeterRegistry meters, Sink deviceLog) {
    this.deviceLog = deviceLog;
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

  void changed(EdgeDrain before, EdgeDrain after) {
    if (before.state() != after.state()) {
      line(
          "nodedrain-step:changing drainStatus:%s NodeDrainStatus requesters:%s"
              .formatted(after.state(), after.served().keySet().stream().sorted().toList()));
      after.state().consoleLine().ifPresent(this::line);
    }
    boolean ends =
        after.state() == NodeDrainState.COMPLETE && before.state() != NodeDrainState.COMPLETE;
    if (ends && after.ending().filter(EdgeDrain.Ending::isMeasured).isPresent()) {
      took(after).ifPresent(this::completed);
    }
  }

  private static Optional<Duration> took(EdgeDrain drain) {
    Instant end = drain.since();
    return drain
        .requestedAt()
        .map(asked -> Duration.between(asked, end))
        .filter(time -> !time.isNegative());
  }

  private void completed(Duration took) {
    completion.record(took);
    line(completionLine(took));
  }

  /** The key, a colon and the seconds, and nothing else: log tools cut it there. */
  static String completionLine(Duration took) {
    return "%s:%s"
        .formatted(
            COMPLETION,
            String.format(Locale.ROOT, "%d.%06d", took.toSeconds(), took.toNanosPart() / 1000));
  }
}
