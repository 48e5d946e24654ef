package dev.drydock.slingshot.retry;

import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import dev.drydock.slingshot.retry.decide.HandlerHistory;
import dev.drydock.slingshot.retry.decide.HandlerReason;
import dev.drydock.slingshot.retry.decide.HandlerStep;
import dev.drydock.slingshot.retry.decide.HandlerStep.Standing;
import dev.drydock.slingshot.retry.decide.HandlerView;
import dev.drydock.slingshot.retry.decide.HandlerView.Child;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a retry handler run for one NIC. */
final class NicHandler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(NicHandler.class);

  private final String nic;
  private final NicHandlerContext context;
  private final TimeSource time;
  private HandlerHistory history = HandlerHistory.NONE;
  private @Nullable HandlerProcess process;
  private Duration startedAt = Duration.ZERO;
  private @Nullable Duration askedAt;
  private boolean ending;
  private Standing standing = new Standing(HandlerReason.Stopping, "it is about to start");
  private volatile Optional<RetryStatistics> statistics = Optional.empty();

  NicHandler(String nic, NicHandlerContext context, TimeSource time) {
    this.nic = nic;
    this.context = context;
    this.time = time;
  }

  @Override
  public synchronized Optional<Instant> step() {
    if (ending) {
      return Optional.empty();
    }
    noticeEnd();
    HandlerView view = context.view(nic, child(), Optional.ofNullable(process));
    return switch (HandlerStep.of(view, history, context.policy(), time.elapsed())) {
      case HandlerStep.Start _ -> {
        start();
        yield Optional.of(time.now());
      }
      case HandlerStep.Stop stop -> {
        stop(stop.why());
        yield Optional.of(time.now());
      }
      case HandlerStep.Kill kill -> {
        kill(kill.why());
        yield Optional.of(time.now().plus(HandlerStep.LOOK));
      }
      case HandlerStep.Quarantine quarantine -> {
        quarantine(quarantine.reason());
        yield Optional.of(time.now());
      }
      case HandlerStep.Rest rest -> {
        stands(rest.standing());
        yield Optional.of(time.now().plus(rest.most()));
      }
      case HandlerStep.Forget _ -> {
        context.markEnded(nic);
        yield Optional.empty();
      }
    };
  }

  private Child child() {
    if (process == null) {
      return new Child.None();
    }
    return askedAt == null ? new Child.Alive() : new Child.Asked(askedAt);
  }

  private void noticeEnd() {
    OptionalInt code = process == null ? OptionalInt.empty() : process.ended();
    if (code.isEmpty()) {
      return;
    }
    if (askedAt == null) {
      history = history.ended(code.getAsInt(), time.elapsed().minus(startedAt), time.elapsed());
      LOG.warn("{}: {}", nic, history.last());
    } else {
      history = history.settled();
      context.markEnded(nic);
      LOG.info("{}: the retry handler has ended", nic);
    }
    process = null;
    askedAt = null;
  }

  private void start() {
    try {
      HandlerProcess next = context.starter().start(nic);
      process = next;
      startedAt = time.elapsed();
      LOG.info("{}: retry handler {} started", nic, next.pid());
      var _ = next.onExit().thenRun(() -> context.wake(nic));
    } catch (IOException failed) {
      throw new HandlerUnusable(
          "cannot start a retry handler for %s: %s".formatted(nic, failed.getMessage()));
    }
  }

  private void stop(Standing why) {
    LOG.info("{}: asks the retry handler to end: {}", nic, why.message());
    stands(why);
    askedAt = time.elapsed();
    if (process != null) {
      process.terminate();
    }
  }

  private void kill(Standing why) {
    stands(why);
    if (process != null) {
      LOG.warn("{}: the retry handler does not end and is killed", nic);
      process.kill();
    }
  }

  private void quarantine(String reason) {
    try {
      context.quarantine(nic, reason);
    } catch (IOException failed) {
      throw new HandlerUnusable(
          "cannot put %s in quarantine: %s".formatted(nic, failed.getMessage()));
    }
    LOG.error("{} is in quarantine until the node is rebooted: {}", nic, reason);
    history = history.settled();
  }

  private void stands(Standing next) {
    if (standing.equals(next)) {
      return;
    }
    standing = next;
    context.tell(nic, next);
    if (!next.reason().serves()) {
      LOG.warn("{}: no retry handler: {}", nic, next.message());
    }
  }

  /** What the handler has counted; empty if it shows nothing. */
  void statistics(Optional<RetryStatistics> next) {
    statistics = next;
  }

  synchronized HandlerStatus status() {
    return new HandlerStatus(
        nic,
        process == null ? OptionalLong.empty() : OptionalLong.of(process.pid()),
        history.restarts(),
        standing.reason(),
        standing.message(),
        standing.reason().serves() ? statistics : Optional.empty());
  }

  /** Asks the process to end, because this program does. */
  synchronized Optional<HandlerProcess> end() {
    ending = true;
    if (process != null && process.ended().isEmpty()) {
      askedAt = time.elapsed();
      process.terminate();
    }
    return Optional.ofNullable(process);
  }

  /** The process that this program asked to end has ended well. */
  void ended() {
    context.markEnded(nic);
  }

  @Override
  public void close() {
    context.forgotten(nic);
  }
}
