package dev.drydock.slurm.bridge;

import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Source;
import dev.drydock.slurm.bridge.decide.SlurmView;
import dev.drydock.slurm.worker.WorkerWatches;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Connects the Nodes of a cluster with the nodes of a Slurm whose workers run there: Slurm drains
 * what is annotated, and the workers' conditions say what Slurm knows about them.
 */
public final class SlurmBridge implements AutoCloseable {

  private final Kube kube;
  private final SlurmApi slurm;
  private final Options options;
  private final MeterRegistry meters;
  private final ControlLoop poll;
  private final ControlLoops<String> loops;
  private final WorkerWatches workers;
  private final AtomicLong asked = new AtomicLong();
  private volatile Look latest = new Look(0, new SlurmView.Unknown("Slurm has not been asked yet"));
  private volatile Optional<String> stopped = Optional.of("the andon cord has not been read yet");
  private @Nullable Runnable cordWatch;

  /**
   * What it connects.
   *
   * @param pods the pods that are Slurm's workers
   * @param interval how often Slurm is asked
   * @param cordNamespace where the andon cord is
   */
  public record Options(Source pods, Duration interval, String cordNamespace) {}

  /** What the look at Slurm with that number found. */
  record Look(long number, SlurmView view) {}

  public SlurmBridge(Kube kube, SlurmApi slurm, Options options, MeterRegistry meters) {
    this.kube = kube;
    this.slurm = slurm;
    this.options = options;
    this.meters = meters;
    poll = kube.loop("slurm-poll", this::look);
    loops = kube.loops("slurm-node", node -> new BridgedNode(new Setting(), node));
    workers = new WorkerWatches(kube, options.pods(), loops::wake, this::wakeAll);
  }

  public void start() {
    cordWatch =
        new AndonCord(kube, options.cordNamespace())
            .watch(
                pulled -> {
                  stopped = pulled;
                  loops.wakeAll();
                });
    workers.start();
    poll.wake();
  }

  /** Why Slurm's state is not known, if so. */
  public Optional<String> unready() {
    return latest.view() instanceof SlurmView.Unknown(String why)
        ? Optional.of(why)
        : Optional.empty();
  }

  /** slurmrestd has no watch: it can only be asked again. */
  private Instant look() {
    long number = asked.incrementAndGet();
    SlurmView seen = new SlurmView.Unknown("the look at Slurm failed; see the log");
    try {
      seen = slurm.look();
    } catch (SlurmFailure failure) {
      seen = new SlurmView.Unknown(failure.getMessage());
      throw failure;
    } finally {
      looked(new Look(number, seen));
    }
    return kube.clock().instant().plus(options.interval());
  }

  private void looked(Look look) {
    String outcome = look.view() instanceof SlurmView.Seen ? "answered" : "failed";
    meters.counter("drydock_slurm_polls", "outcome", outcome).increment();
    latest = look;
    wakeAll();
  }

  private void wakeAll() {
    loops.wakeAll();
    workers.concerned().forEach(loops::wake);
  }

  /** What all nodes share. */
  final class Setting {
    private Setting() {}

    Kube kube() {
      return kube;
    }

    SlurmApi slurm() {
      return slurm;
    }

    Look latest() {
      return latest;
    }

    /** The number of the last look that has begun. */
    long asked() {
      return asked.get();
    }

    WorkerWatches workers() {
      return workers;
    }

    Optional<String> stopped() {
      return stopped;
    }

    /** Slurm was changed, so what is known about it is old. */
    void changed(String what) {
      meters.counter("drydock_slurm_changes", "change", what).increment();
      poll.wake();
    }
  }

  @Override
  public void close() {
    if (cordWatch != null) {
      cordWatch.run();
    }
    poll.close();
    loops.close();
    workers.close();
  }
}
