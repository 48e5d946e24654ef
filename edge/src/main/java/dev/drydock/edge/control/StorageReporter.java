package dev.drydock.edge.control;

import dev.drydock.edge.decide.EdgeDecider;
import dev.drydock.edge.decide.RebuildEstimate;
import dev.drydock.edge.decide.StorageView;
import dev.drydock.kube.ControlLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Says what Longhorn does while one of its budgets holds the drain up: the last replica of a
 * volume, for which the drain waits, or something that a person has to clean up.
 */
final class StorageReporter implements AutoCloseable {
  private static final Duration BETWEEN = Duration.ofSeconds(30);

  private final EdgeContext context;
  private final EdgeApi api;
  private final EdgeDrainController drains;
  private final ControlLoop loop;
  private volatile List<String> blocked = List.of();
  private RebuildEstimate estimate = RebuildEstimate.NOTHING_SEEN;
  private List<String> told = List.of();

  StorageReporter(EdgeContext context, EdgeApi api, EdgeDrainController drains) {
    this.context = context;
    this.api = api;
    this.drains = drains;
    loop = context.kube().loop("edge-storage", context.settings().node(), this::step);
  }

  /** Called by the agent's loop, which knows what blocks. */
  void look() {
    List<String> now = drains.blockedInstanceManagers();
    if (!now.equals(blocked)) {
      blocked = now;
      loop.wake();
    }
  }

  private Instant step() {
    List<String> now = blocked;
    if (now.isEmpty()) {
      drains.explainStorage(List.of());
      return Instant.MAX;
    }
    String node = api.ownName();
    StorageView storage = api.storage(node);
    Instant time = context.kube().time().now();
    estimate = estimate.seen(storage, time);
    List<String> lines = storage.explain(node, now, estimate);
    if (!lines.equals(told)) {
      told = lines;
      lines.forEach(
          line -> context.journal().line(EdgeDecider.STEP + "pod-evict-progress " + line));
    }
    drains.explainStorage(lines);
    return time.plus(BETWEEN);
  }

  @Override
  public void close() {
    loop.close();
  }
}
