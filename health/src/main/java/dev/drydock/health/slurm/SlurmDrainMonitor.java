package dev.drydock.health.slurm;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.decide.BatchCheck;
import dev.drydock.health.slurm.decide.SlurmDrainEvents;
import dev.drydock.health.slurm.decide.SlurmDrainEvents.ExternalDrain;
import dev.drydock.health.slurm.decide.SlurmDrainEvents.FaultKey;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns drains that somebody made in Slurm into health events. It reads them from the conditions of
 * the workers, whoever writes these, and what it published before from the event store.
 */
public final class SlurmDrainMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlurmDrainMonitor.class);

  private final Kube kube;
  private final EventStore store;
  private final SlurmDrainConfig config;
  private final MeterRegistry meters;
  private final ControlLoops<String> loops;
  private final Watch<DrainedWorker> workers;
  private final Watch<String> nodes;
  private final AtomicBoolean everyNodeSeen = new AtomicBoolean();

  /** A worker that is drained in Slurm, and not because of an annotation of its Node. */
  private record DrainedWorker(String node, ExternalDrain drain) {}

  public SlurmDrainMonitor(
      Kube kube, EventStore store, SlurmDrainConfig config, MeterRegistry meters) {
    this.kube = kube;
    this.store = store;
    this.config = config;
    this.meters = meters;
    loops = kube.loops("slurm-drain-monitor", MonitoredNode::new);
    workers =
        kube.watches()
            .of(
                Watch.Kind.of(
                        Resource.PODS.in(config.namespace()).labelSelector(config.labelSelector()),
                        SlurmDrainMonitor::read)
                    .groupedBy(DrainedWorker::node),
                Watch.Listener.keyed(DrainedWorker::node, loops::wake, this::wakeAll));
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), node -> text(node.path("metadata"), "name")),
                new FirstList());
  }

  /** After a start, pods may be gone that were drained before. */
  private final class FirstList implements Watch.Listener<String> {
    @Override
    public void changed(@Nullable String before, @Nullable String after) {}

    @Override
    public void refreshed() {
      wakeAll();
    }
  }

  private void wakeAll() {
    loops.wakeAll();
    workers.state().items().forEach(worker -> loops.wake(worker.node()));
    if (workers.isListed() && nodes.isListed() && everyNodeSeen.compareAndSet(false, true)) {
      nodes.state().items().forEach(loops::wake);
    }
  }

  private static @Nullable DrainedWorker read(JsonNode pod) {
    String node = text(pod.path("spec"), "nodeName");
    for (JsonNode condition : pod.path("status").path("conditions")) {
      String reason = Fields.start(condition, "message");
      boolean external =
          text(condition, "type").equals(SlurmNames.DRAIN)
              && text(condition, "status").equals("True")
              && !reason.startsWith(SlurmNames.OWN_DRAIN);
      if (external && !node.isEmpty()) {
        JsonNode metadata = pod.path("metadata");
        return new DrainedWorker(
            node,
            new ExternalDrain(text(metadata, "namespace") + "/" + text(metadata, "name"), reason));
      }
    }
    return null;
  }

  public void start() {
    workers.start();
    nodes.start();
  }

  private void count(String what, long number) {
    meters.counter("slurm_drain_monitor_" + what).increment((double) number);
  }

  private final class MonitoredNode implements ControlLoops.Reconciler {
    private final String node;
    private @Nullable Map<FaultKey, Set<String>> published;

    MonitoredNode(String node) {
      this.node = node;
    }

    @Override
    public Optional<Instant> step() {
      Watch.State<DrainedWorker> state = workers.state(node);
      if (state.unsynced().isPresent()) {
        return Optional.of(Instant.MAX); // the watch wakes this loop when it knows
      }
      List<ExternalDrain> drains =
          state.items().stream()
              .map(DrainedWorker::drain)
              .sorted(Comparator.comparing(ExternalDrain::pod))
              .toList();
      Map<FaultKey, Set<String>> before = published == null ? load() : published;
      published = null; // if the store fails, it is not known what it has
      List<HealthEvent> changes = SlurmDrainEvents.changes(node, drains, before, config.patterns());
      if (!changes.isEmpty()) {
        publish(changes, drains);
      }
      Map<FaultKey, Set<String>> after = SlurmDrainEvents.published(before, changes);
      published = after;
      return after.isEmpty()
          ? Optional.empty()
          : Optional.of(kube.clock().instant().plus(config.resyncPeriod()));
    }

    private Map<FaultKey, Set<String>> load() {
      List<HealthEvent> all = new ArrayList<>();
      EventQuery query = EventQuery.ALL.ofNode(node).newest();
      List<StoredEvent> page = store.query(query);
      while (!page.isEmpty()) {
        page.forEach(event -> all.add(event.event()));
        page = page.size() < query.limit() ? List.of() : store.query(query.after(page.getLast()));
      }
      return SlurmDrainEvents.published(all);
    }

    private void publish(List<HealthEvent> changes, List<ExternalDrain> drains) {
      Instant now = kube.clock().instant();
      String trace = CallHeaders.current().trace();
      try {
        var _ =
            store.append(
                changes.stream()
                    .map(event -> event.toBuilder().generatedTimestamp(now).build())
                    .map(event -> BatchCheck.normal(event, trace))
                    .toList());
      } catch (StoreUnavailable failed) {
        count("health_events_publish_errors", 1);
        count("reconciliation_errors", 1);
        throw failed;
      }
      long found = changes.stream().filter(event -> !event.isHealthy()).count();
      if (found > 0) {
        count("external_drains_detected", 1);
        count("parse_matches", found);
      }
      LOG.info("node {}: {} health events about drains in Slurm: {}", node, changes.size(), drains);
    }
  }

  @Override
  public void close() {
    loops.close();
    workers.close();
    nodes.close();
  }
}
