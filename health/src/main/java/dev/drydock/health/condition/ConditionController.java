package dev.drydock.health.condition;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.condition.ConditionMetrics.Status;
import dev.drydock.health.consume.LatestByNode;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows health events on their Nodes: fatal failures and recoveries as conditions, other failures
 * as Events. It has a feed of its own, so that what cannot be written now is written later. It goes
 * on while the andon cord is pulled, because it takes no node out of service.
 */
public final class ConditionController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionController.class);

  /** The name of its position in the store. */
  public static final String CONSUMER = "kubernetes-connector";

  private static final int PAGE = 500;

  /**
   * Lets a cordon because of the same event go first: its patch is refused if the Node changes in
   * between, and would have to be repeated.
   */
  private static final Duration AFTER_CORDON = Duration.ofMillis(50);

  private static final ChangeFilter NEW =
      change ->
          change.kind() != Change.Kind.UPDATED
              && change.event().event().processingStrategy().acts();

  private static final Comparator<StoredEvent> BY_TIME =
      Comparator.comparing(
          stored -> stored.event().generatedTimestamp(),
          Comparator.nullsFirst(Comparator.<Instant>naturalOrder()));

  private final Kube kube;
  private final EventStore store;
  private final FaultCondition.Lengths lengths;
  private final ConditionMetrics metrics;
  private final FaultEvents events;
  private final PendingEvents pending = new PendingEvents();
  private final LatestByNode<ConditionNodeObject> latest = new LatestByNode<>();
  private final Watch<ConditionNodeObject> nodes;
  private final ControlLoops<String> loops;
  private final ControlLoop feeding;

  /** What did not fit into the message of a condition, by node and type. */
  private final Map<String, FaultCondition> shortened = new ConcurrentHashMap<>();

  private @Nullable ChangeFeed feed;

  public ConditionController(
      Kube kube, EventStore store, FaultCondition.Lengths lengths, ConditionMetrics metrics) {
    this.kube = kube;
    this.store = store;
    this.lengths = lengths;
    this.metrics = metrics;
    events = new FaultEvents(kube, metrics);
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), ConditionNodeObject::read)
                    .groupedBy(ConditionNodeObject::name),
                new Watch.Listener<>() {
                  @Override
                  public void changed(
                      @Nullable ConditionNodeObject before, @Nullable ConditionNodeObject after) {}

                  @Override
                  public void refreshed() {
                    wake();
                  }
                });
    loops = kube.loops("conditions", NodeConditionsReconciler::new);
    feeding = kube.loop("conditions feed", "", ControlLoop.Gather.fixed(AFTER_CORDON), this::feed);
  }

  public void start() {
    nodes.start();
    feeding.wake();
  }

  private void wake() {
    feeding.wake();
    loops.wakeAll();
  }

  private Instant feed() {
    if (!nodes.isListed()) {
      return Instant.MAX;
    }
    ChangeFeed changes = feed;
    if (changes == null) {
      changes = store.feed(CONSUMER, NEW, FeedStart.LIST, feeding::wake);
      feed = changes;
    }
    ChangeFeed open = changes;
    List<Change> next = open.next(PAGE);
    while (!next.isEmpty()) {
      next.forEach(
          change -> pending.add(new Pending(change.event(), false, () -> open.finished(change))));
      next.stream()
          .map(change -> change.event().event().nodeName())
          .distinct()
          .forEach(loops::wake);
      next = open.next(PAGE);
    }
    return Instant.MAX;
  }

  @Override
  public void close() {
    feeding.close();
    loops.close();
    nodes.close();
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
  }

  private final class NodeConditionsReconciler implements ControlLoops.Reconciler {
    private final String name;

    NodeConditionsReconciler(String name) {
      this.name = name;
    }

    @Override
    public Optional<Instant> step() {
      List<Pending> batch = pending.first(name, PAGE);
      while (!batch.isEmpty()) {
        show(batch.stream().map(Pending::stored).sorted(BY_TIME).toList());
        batch.forEach(each -> each.done().run());
        pending.remove(name, batch.size());
        batch = pending.first(name, PAGE);
      }
      return Optional.empty();
    }

    private Optional<ConditionNodeObject> node() {
      return latest
          .of(name, nodes.state(name).items().stream().findFirst())
          .or(() -> kube.http().find(Resource.NODES, "", name).map(ConditionNodeObject::read));
    }

    private void show(List<StoredEvent> batch) {
      Optional<ConditionNodeObject> node = node();
      if (node.isEmpty()) {
        LOG.warn("{} events are about node {}, which does not exist", batch.size(), name);
        batch.forEach(_ -> metrics.dropped("node_condition"));
        return;
      }
      Map<String, FaultCondition> after = new LinkedHashMap<>();
      Map<String, Instant> times = new LinkedHashMap<>();
      List<StoredEvent> others = new ArrayList<>();
      for (StoredEvent stored : batch) {
        HealthEvent event = stored.event();
        if (event.isHealthy() || event.isFatal()) {
          String type = event.checkName();
          FaultCondition before =
              after.computeIfAbsent(type, _ -> present(node.get().conditions(), type));
          after.put(type, before.after(event));
          times.put(
              type,
              event.generatedTimestamp() == null ? stored.createdAt() : event.generatedTimestamp());
        } else {
          others.add(stored);
        }
      }
      attempt("node_condition", () -> write(node.get(), after, times));
      others.forEach(
          stored -> attempt("node_event", () -> events.record(stored.event(), stored.createdAt())));
    }

    /** What will never be accepted is given up, so that later events are shown. */
    private void attempt(String operation, Runnable request) {
      try {
        request.run();
      } catch (ApiFailure failure) {
        if (failure.isRetriable()) {
          throw failure;
        }
        LOG.warn("{} of node {} is given up: {}", operation, name, failure.getMessage());
        metrics.dropped(operation);
      }
    }

    private String key(String type) {
      return name + "/" + type;
    }

    /** All of it while this process remembers, otherwise what the message shows. */
    private FaultCondition present(Conditions conditions, String type) {
      Optional<JsonNode> there = conditions.get(type);
      if (there.isEmpty() || !text(there.get(), "status").equals(Conditions.TRUE)) {
        return FaultCondition.healthy(type);
      }
      String message = text(there.get(), "message");
      FaultCondition whole = shortened.get(key(type));
      return whole != null && whole.message(lengths).equals(message)
          ? whole
          : FaultCondition.read(type, message);
    }

    private void write(
        ConditionNodeObject node, Map<String, FaultCondition> after, Map<String, Instant> times) {
      ArrayNode entries = Json.array();
      after.forEach(
          (type, failure) -> {
            Condition wanted =
                Condition.of(
                    type, failure.isUnhealthy(), failure.reason(), failure.message(lengths));
            remember(failure, wanted.message());
            if (node.conditions().says(wanted)) {
              metrics.condition(Status.SKIPPED);
            } else {
              Instant time =
                  times.getOrDefault(type, Instant.EPOCH).truncatedTo(ChronoUnit.SECONDS);
              entries.add(
                  node.conditions().entry(wanted, time).put("lastHeartbeatTime", time.toString()));
            }
          });
      if (entries.isEmpty()) {
        return;
      }
      Instant begun = kube.clock().instant();
      var answer =
          kube.http()
              .send(
                  Patch.sameUid(Resource.NODES, node.object())
                      .status(status -> status.set("conditions", entries))
                      .strategicCall());
      metrics.condition(answer.ok() ? Status.SUCCESS : Status.FAILED);
      metrics.conditionTook(Duration.between(begun, kube.clock().instant()));
      JsonNode written = answer.orThrow("conditions of node " + name);
      var _ = latest.wrote(name, ConditionNodeObject.read(written));
    }

    private void remember(FaultCondition failure, String message) {
      boolean whole = FaultCondition.read(failure.type(), message).equals(failure);
      if (whole || !failure.isUnhealthy()) {
        shortened.remove(key(failure.type()));
      } else {
        shortened.put(key(failure.type()), failure);
      }
    }
  }
}
