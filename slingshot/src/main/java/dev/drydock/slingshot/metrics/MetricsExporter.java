package dev.drydock.slingshot.metrics;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.metrics.decide.NodeMetrics;
import dev.drydock.slingshot.metrics.decide.NodeSample;
import dev.drydock.slingshot.node.HostRoots;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the figures of a node's NICs now and then, until closed. */
public final class MetricsExporter implements AutoCloseable {
  private final Settings settings;
  private final TimeSource time;
  private final Supplier<NodeSample> samples;
  private final ControlLoop loop;
  private volatile NodeMetrics metrics;

  /**
   * What is read.
   *
   * @param interval between two looks
   * @param retryHandler where the supervisor of retry handlers answers; empty if there is none
   */
  public record Settings(
      String node, HostRoots roots, Duration interval, Optional<URI> retryHandler) {}

  public MetricsExporter(LoopFactory loops, Settings settings) {
    this(loops, settings, new NodeReader(settings.roots(), settings.retryHandler())::read);
  }

  MetricsExporter(LoopFactory loops, Settings settings, Supplier<NodeSample> samples) {
    this.settings = settings;
    this.samples = samples;
    this.time = loops.time();
    metrics = NodeMetrics.none(settings.node());
    loop = loops.loop("cxi-metrics", this::step);
  }

  public void start() {
    loop.wake();
  }

  /** The newest figures. */
  public List<NodeMetrics.Series> series() {
    return metrics.series();
  }

  /** Whether anything was read yet. */
  public boolean hasRead() {
    return metrics.sample().nics().isPresent() || metrics.lastSuccess().isPresent();
  }

  private Instant step() {
    metrics = metrics.next(samples.get(), time.now().getEpochSecond());
    return time.now().plus(settings.interval());
  }

  @Override
  public void close() {
    loop.close();
  }
}
