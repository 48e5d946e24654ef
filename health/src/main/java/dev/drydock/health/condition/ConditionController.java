package dev.drydock.health.condition;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.condition.ConditionMetrics.Status;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.consume.NodeFeed;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.decide.ConditionSlots;
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
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
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

  /** The API server will never accept it. */
  private static final String PERMANENT = "permanent_error";

  /** The name of its position in the store. */
  public static final String CONSUMER = "kubernetes-connector";

  private static final int PAGE = 500;
  private static final int MOST_SHORTENED = 200;

  /**
   * Lets a cordon because of the same event go first: its patch is refused if the Node changes in
   * between, and would have to be repeated.
   */
  private static final Duration AFTER_CORDON = Duration.ofMillis(50);

  /**
   * How long it waits for cordons of any nodes: when many nodes fail at once, taking them out of
   * service comes first, and the API server answers only so many requests at a time.
   */
  private static final Duration LONGEST_AFTER_CORDONS = Duration.ofSeconds(5);

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
  private final BooleanSupplier cordoning;
  private final FaultEvents events;
  private final PendingEvents pending = new PendingEvents();
  private final NodeFeed feed;
  private final AtomicLong added = new AtomicLong();
  private final LatestObjects<ConditionNodeObject> latest;
  private final Watch<ConditionNodeObject> nodes;
  private final ControlLoops<String> loops;
  private final ControlLoop feeding;

  /** Since when it waits for cordons, in elapsed time. */
  private Optional<Duration> waitingSince = Optional.empty();

  /** What did not fit into the messages of conditions, by node and type: of the last ones. */
  private final Map<String, FaultCondition> shortened =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, FaultCondition> eldest) {
              return size() > MOST_SHORTENED;
            }
          });

  /**
   * @param cordoning whether nodes are being taken out of service because of events
   */
  public ConditionController(
      Kube kube,
      EventStore store,
      FaultCondition.Lengths lengths,
      ConditionMetrics metrics,
      BooleanSupplier cordoning) {
    this.cordoning = cordoning;
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
    latest = new LatestObjects<>(nodes);
    feed = new NodeFeed(new Handler(), pending, kube.clock());
    metrics.queue().count(kube.clock(), pending::count, added::get);
    loops = kube.loops("conditions", NodeConditionsReconciler::new);
    feeding =
        kube.loop("conditions-feed", "", ControlLoop.Debounce.fixed(AFTER_CORDON), this::feed);
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
    Duration now = kube.time().elapsed();
    Duration since = waitingSince.orElse(now);
    if (cordoning.getAsBoolean() && now.minus(since).compareTo(LONGEST_AFTER_CORDONS) < 0) {
      waitingSince = Optional.of(since);
      return kube.clock().instant().plus(AFTER_CORDON);
    }
    waitingSince = Optional.empty();
    return feed.read();
  }

  private final class Handler implements NodeFeed.Handler {
    @Override
    public ChangeFeed open() {
      return store.feed(CONSUMER, NEW, FeedStart.LIST, this::wakeFeed);
    }

    @Override
    public Optional<Pending> take(Change change, boolean again, Runnable done) {
      added.incrementAndGet();
      return Optional.of(new Pending(change.event(), again, done));
    }

    @Override
    public void wake(String node) {
      loops.wake(node);
    }

    @Override
    public void wakeFeed() {
      feeding.wake();
    }
  }

  @Override
  public void close() {
    feeding.close();
    loops.close();
    nodes.close();
    feed.close();
  }

  private final class NodeConditionsReconciler implements ControlLoops.Reconciler {
    private final String name;

    NodeConditionsReconciler(String name) {
      this.name = name;
    }

    @Override
    public Optional<Instant> step() {
      return feed.step(name, this::showAll);
    }

    private Optional<Instant> showAll() {
      List<Pending> batch = pending.first(name, PAGE);
      while (!batch.isEmpty()) {
        List<StoredEvent> events = batch.stream().map(Pending::stored).sorted(BY_TIME).toList();
        metrics.queue().work(batch.getFirst().stored().createdAt(), () -> show(events));
        pending.done(name, batch.size());
        batch = pending.first(name, PAGE);
      }
      return Optional.empty();
    }

    private Optional<ConditionNodeObject> node() {
      return latest
          .find(name)
          .or(() -> kube.http().find(Resource.NODES, "", name).map(ConditionNodeObject::read));
    }

    private void show(List<StoredEvent> batch) {
      Optional<ConditionNodeObject> node = node();
      if (node.isEmpty()) {
        LOG.warn("{} events are about node {}, which does not exist", batch.size(), name);
        batch.forEach(_ -> metrics.dropped("node_condition", PERMANENT));
        return;
      }
      Map<String, FaultCondition> after = new LinkedHashMap<>();
      Map<String, Instant> times = new LinkedHashMap<>();
      List<StoredEvent> others = new ArrayList<>();
      for (StoredEvent stored : batch) {
        HealthEvent event = stored.event();
        String type = event.checkName();
        if (FaultCondition.isReserved(type) || node.get().isOthers(type)) {
          LOG.warn("node {}: an event of check {}, which is another's condition", name, type);
          metrics.dropped("node_condition", PERMANENT);
        } else if (event.isHealthy() || event.isFatal()) {
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
        metrics.dropped(operation, PERMANENT);
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
      Map<String, Boolean> failed = new LinkedHashMap<>();
      after.forEach((type, failure) -> failed.put(type, failure.isUnhealthy()));
      ConditionSlots slots = ConditionSlots.of(node.checks(), failed);
      ArrayNode entries = Json.array();
      after.forEach(
          (type, failure) -> {
            if (slots.hidden().contains(type)) {
              metrics.dropped("node_condition", "too_many_conditions");
            } else {
              Condition wanted =
                  Condition.of(
                      type, failure.isUnhealthy(), failure.reason(), failure.message(lengths));
              remember(failure, wanted.message());
              add(entries, node, wanted, times.getOrDefault(type, Instant.EPOCH));
            }
          });
      slots
          .removed()
          .forEach(type -> entries.addObject().put("type", type).put("$patch", "delete"));
      tellHidden(entries, node, slots.full());
      if (entries.isEmpty()) {
        return;
      }
      try {
        send(node, entries);
      } catch (ApiFailure failure) {
        if (failure.isRetriable() || entries.size() == 1) {
          throw failure;
        }
        // one that is never accepted must not cost the others
        for (JsonNode entry : entries) {
          attempt("node_condition", () -> send(node, Json.array().add(entry)));
        }
      }
    }

    private void send(ConditionNodeObject node, ArrayNode entries) {
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

    private void add(ArrayNode entries, ConditionNodeObject node, Condition wanted, Instant since) {
      if (node.conditions().says(wanted)) {
        metrics.condition(Status.SKIPPED);
      } else {
        Instant time = since.truncatedTo(ChronoUnit.SECONDS);
        entries.add(
            node.conditions().entry(wanted, time).put("lastHeartbeatTime", time.toString()));
      }
    }

    /** It stays as long as there is no room: which checks were hidden is known to nobody. */
    private void tellHidden(ArrayNode entries, ConditionNodeObject node, boolean full) {
      boolean told = node.conditions().isTrue(FaultCondition.NOT_SHOWN);
      if (full && !told) {
        LOG.warn("node {}: more checks have failed than are shown as conditions", name);
      }
      if (full || (told && node.checks().size() < ConditionSlots.MOST)) {
        add(entries, node, notShown(full), kube.clock().instant());
      }
    }

    private Condition notShown(boolean full) {
      return Condition.of(
          FaultCondition.NOT_SHOWN,
          full,
          full ? "TooManyChecks" : "AllChecksShown",
          full
              ? "at most %d checks are shown as conditions; for the others see: drydock events --node %s"
                  .formatted(ConditionSlots.MOST, name)
              : "");
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
