package dev.drydock.health.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.nvsentinel.MaintenanceRequest;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.request.decide.MaintenanceRequestDecider;
import dev.drydock.health.request.decide.MaintenanceRequestFacts;
import dev.drydock.health.request.decide.MaintenanceRequestStep;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Say;
import dev.drydock.health.store.EventStore;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves MaintenanceRequests: while one exists, its node has a NotifyMaintenance, and its event
 * counts as the failure of a monitor does.
 */
public final class MaintenanceRequestController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceRequestController.class);

  private static final int MOST_STEPS = 20;

  private final Kube kube;
  private final Optional<Supplier<EventStore>> store;
  private final RequestedMaintenances maintenances;
  private final Watch<MaintenanceRequestObject> requests;
  private final Watch<RequestNodeObject> nodes;
  private final LatestObjects<MaintenanceRequestObject> latest;
  private final LatestObjects<RequestNodeObject> latestNodes;
  private final ControlLoops<String> loops;

  /**
   * @param store opens the event store; absent if no events are published
   */
  public MaintenanceRequestController(
      Kube kube, Optional<Supplier<EventStore>> store, MaintenanceRequestOptions options) {
    this.kube = kube;
    this.store = store;
    maintenances = new RequestedMaintenances(kube, options);
    loops = kube.loops("maintenance-requests", RequestReconciler::new);
    requests =
        kube.watches()
            .of(
                Watch.Kind.of(
                        MaintenanceRequestObject.RESOURCE.all(), MaintenanceRequestObject::read)
                    .groupedBy(MaintenanceRequestObject::name)
                    .reportingUnreadable(MaintenanceRequestObject.RESOURCE),
                new RequestListener());
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), RequestNodeObject::read)
                    .groupedBy(RequestNodeObject::name),
                new NodeListener());
    latest = new LatestObjects<>(requests);
    latestNodes = new LatestObjects<>(nodes);
  }

  public void start() {
    requests.start();
    nodes.start();
  }

  private final class RequestListener implements Watch.Listener<MaintenanceRequestObject> {
    @Override
    public void changed(
        @Nullable MaintenanceRequestObject before, @Nullable MaintenanceRequestObject after) {
      if (after != null) {
        loops.wake(after.name());
      } else if (before != null) {
        wakeOf(before.node()); // one that waited may begin
      }
    }

    @Override
    public void refreshed() {
      requests.state().items().forEach(request -> loops.wake(request.name()));
    }
  }

  private final class NodeListener implements Watch.Listener<RequestNodeObject> {
    @Override
    public void changed(@Nullable RequestNodeObject before, @Nullable RequestNodeObject after) {
      boolean same = before != null && after != null && before.active().equals(after.active());
      RequestNodeObject either = after == null ? before : after;
      if (!same && either != null) {
        wakeOf(either.name());
      }
    }

    @Override
    public void refreshed() {
      loops.wakeAll();
    }
  }

  private void wakeOf(String node) {
    requests.state().items().stream()
        .filter(request -> request.node().equals(node))
        .forEach(request -> loops.wake(request.name()));
  }

  @Override
  public void close() {
    loops.close();
    requests.close();
    nodes.close();
    maintenances.close();
  }

  private final class RequestReconciler implements ControlLoops.Reconciler {
    private final String name;

    RequestReconciler(String name) {
      this.name = name;
    }

    @Override
    public Optional<Instant> step() {
      if (!requests.isListed() || !nodes.isListed()) {
        return Optional.of(Instant.MAX); // woken when they are
      }
      for (int i = 0; i < MOST_STEPS; i++) {
        Optional<MaintenanceRequestObject> request = latest.find(name);
        if (request.isEmpty()) {
          return Optional.empty();
        }
        MaintenanceRequestStep step = MaintenanceRequestDecider.decide(facts(request.get()));
        if (step instanceof MaintenanceRequestStep.Wait) {
          return Optional.empty();
        }
        carryOut(request.get(), step);
        if (step instanceof MaintenanceRequestStep.End) {
          return Optional.empty();
        }
      }
      throw new IllegalStateException("MaintenanceRequest " + name + " does not come to an end");
    }

    private Optional<RequestNodeObject> node(MaintenanceRequestObject request) {
      return latestNodes.find(request.node());
    }

    private MaintenanceRequestFacts facts(MaintenanceRequestObject request) {
      Optional<RequestNodeObject> node = node(request);
      return new MaintenanceRequestFacts(
          name,
          request.object().deleted(),
          request.object().hasFinalizer(MaintenanceRequest.FINALIZER),
          request.reason(),
          request.isEmitted(),
          request.node(),
          node.isPresent(),
          request.problem(),
          node.map(RequestNodeObject::active)
              .filter(holder -> !requests.state(holder).items().isEmpty())
              .orElse(""));
    }

    private void carryOut(MaintenanceRequestObject request, MaintenanceRequestStep step) {
      switch (step) {
        case MaintenanceRequestStep.Wait() -> {}
        case MaintenanceRequestStep.Adopt() ->
            wrote(
                Patch.ifUnchanged(MaintenanceRequestObject.RESOURCE, request.object())
                    .addFinalizer(MaintenanceRequest.FINALIZER)
                    .sendUnlessConflict(kube.http()));
        case Say say -> say(request, say);
        case MaintenanceRequestStep.Claim() -> claim(request, name);
        case MaintenanceRequestStep.Open() -> open(request);
        case MaintenanceRequestStep.End(boolean published) -> end(request, published);
      }
    }

    /** After a conflict it is read again. */
    private void wrote(Optional<JsonNode> written) {
      written
          .or(() -> kube.http().find(MaintenanceRequestObject.RESOURCE, "", name))
          .map(MaintenanceRequestObject::read)
          .ifPresent(after -> latest.wrote(name, after));
    }

    private void say(MaintenanceRequestObject request, Say say) {
      LOG.info("MaintenanceRequest {}: {}: {}", name, say.reason(), say.message());
      wrote(
          Patch.ifUnchanged(MaintenanceRequestObject.RESOURCE, request.object())
              .status(
                  status ->
                      status.set(
                          "conditions",
                          request
                              .object()
                              .conditions()
                              .with(
                                  new Condition(
                                      MaintenanceRequest.EMITTED_CONDITION,
                                      say.status(),
                                      say.reason(),
                                      say.message()),
                                  kube.clock().instant())))
              .sendUnlessConflict(kube.http()));
    }

    /** Two requests cannot both get it, because the Node must not have changed. */
    private void claim(MaintenanceRequestObject request, @Nullable String holder) {
      node(request)
          .flatMap(
              node ->
                  Patch.ifUnchanged(Resource.NODES, node.object())
                      .annotation(MaintenanceRequest.ACTIVE, holder)
                      .sendUnlessConflict(kube.http()))
          .or(() -> kube.http().find(Resource.NODES, "", request.node()))
          .map(RequestNodeObject::read)
          .ifPresent(after -> latestNodes.wrote(request.node(), after));
    }

    private void open(MaintenanceRequestObject request) {
      String made;
      try {
        publish(request.opening());
        made = maintenances.make(request);
      } catch (ExpectedFailure failure) {
        if (!request.reason().equals(MaintenanceRequestDecider.EMIT_FAILED)) {
          say(
              request,
              new Say(
                  "False",
                  MaintenanceRequestDecider.EMIT_FAILED,
                  String.valueOf(failure.getMessage())));
        }
        throw failure; // and tried again
      }
      say(
          request,
          new Say(
              "True",
              MaintenanceRequestDecider.EMITTED,
              store.isPresent()
                  ? "the health event is stored, and %s exists".formatted(made)
                  : "%s exists; no health events are published here".formatted(made)));
    }

    private void publish(HealthEvent event) {
      store.ifPresent(events -> events.get().append(List.of(event)));
    }

    private void end(MaintenanceRequestObject request, boolean published) {
      if (published) {
        publish(request.clearing(kube.clock().instant()));
      }
      maintenances.end(request);
      if (node(request).filter(node -> node.active().equals(name)).isPresent()) {
        Patch.retrying(
            "node " + request.node(),
            () -> {
              claim(request, null);
              return Optional.of(true)
                  .filter(_ -> node(request).filter(node -> node.active().equals(name)).isEmpty());
            });
      }
      wrote(
          Patch.ifUnchanged(MaintenanceRequestObject.RESOURCE, request.object())
              .removeFinalizer(MaintenanceRequest.FINALIZER)
              .sendIfExists(kube.http()));
    }
  }
}
