package dev.drydock.health.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.quarantine.QuarantineNames;
import dev.drydock.health.resource.KindSchemas;
import dev.drydock.health.resource.RenderedResource;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.rules.ValidationRules;
import dev.drydock.health.store.EventStore;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.EventRecorder.Occurrence;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.ObjectName;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.ServedCondition;
import dev.drydock.kube.ServedCondition.Waiting;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the validation of nodes whose quarantine is over, by a resource that another controller
 * serves. What is to be validated is kept on the Node until it was requested.
 */
public final class ValidationController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ValidationController.class);

  /** The label by which the resources are found: the UID of the Node. */
  private static final String NODE_LABEL = "drydock.dev/validation-node-uid";

  private static final String NODE_ANNOTATION = "drydock.dev/validation-node";
  private static final String ACTION = "Validate";
  private static final Duration SERVED_WITHIN = Duration.ofSeconds(30);

  private final Kube kube;
  private final EventStore store;
  private final ValidationRules rules;
  private final ResourceTemplate template;
  private final KindSchemas schemas;
  private final Resource resource;
  private final Watch<ValidationNodeObject> nodes;
  private final Watch<ApiObject> requests;
  private final LatestObjects<ValidationNodeObject> latest;
  private final ControlLoops<String> loops;

  public ValidationController(
      Kube kube, EventStore store, ValidationRules rules, ResourceTemplate template) {
    this.kube = kube;
    this.store = store;
    this.rules = rules;
    this.template = template;
    schemas = new KindSchemas(kube.http());
    resource = Resource.cluster(rules.apiGroup(), rules.version(), rules.resource(), rules.kind());
    loops = kube.loops("validation", NodeValidationReconciler::new);
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), ValidationNodeObject::read)
                    .groupedBy(ValidationNodeObject::name),
                new NodeListener());
    latest = new LatestObjects<>(nodes);
    requests =
        kube.watches()
            .of(
                Watch.Kind.of(
                        resource.all().labelSelector(NODE_LABEL),
                        object -> ApiObject.bounded(object, List.of(NODE_LABEL, NODE_ANNOTATION)))
                    .groupedBy(ValidationController::node)
                    .optional(),
                new RequestListener());
  }

  private static String node(ApiObject request) {
    return request.annotations().getOrDefault(NODE_ANNOTATION, "");
  }

  public void start() {
    nodes.start();
    requests.start();
  }

  private final class NodeListener implements Watch.Listener<ValidationNodeObject> {
    @Override
    public void changed(
        @Nullable ValidationNodeObject before, @Nullable ValidationNodeObject after) {
      if (after != null && after.isDue()) {
        loops.wake(after.name());
      }
    }

    @Override
    public void refreshed() {
      nodes.state().items().stream()
          .filter(ValidationNodeObject::isDue)
          .forEach(node -> loops.wake(node.name()));
    }
  }

  private final class RequestListener implements Watch.Listener<ApiObject> {
    @Override
    public void changed(@Nullable ApiObject before, @Nullable ApiObject after) {
      if (after != null) {
        loops.wake(node(after));
      }
    }

    @Override
    public void refreshed() {
      requests.state().items().forEach(request -> loops.wake(node(request)));
    }
  }

  @Override
  public void close() {
    loops.close();
    nodes.close();
    requests.close();
  }

  private final class NodeValidationReconciler implements ControlLoops.Reconciler {
    private final String name;
    private String problem = "";

    NodeValidationReconciler(String name) {
      this.name = name;
    }

    @Override
    public Optional<Instant> step() {
      Optional<ValidationNodeObject> node = latest.find(name);
      node.filter(ValidationNodeObject::isDue).ifPresent(this::request);
      return node.flatMap(this::reportUnserved);
    }

    private Instant now() {
      return kube.clock().instant();
    }

    private void request(ValidationNodeObject node) {
      ValidationSession session = new ValidationSession(name, node.entries());
      boolean drained =
          node.entries().stream()
              .flatMap(entry -> store.get(entry.event().id()).stream())
              .anyMatch(stored -> ValidationSession.isFullyDrained(stored, rules));
      if (drained) {
        create(node, session);
      }
      Optional<JsonNode> written =
          Patch.ifUnchanged(Resource.NODES, node.object())
              .annotation(QuarantineNames.VALIDATION, null)
              .sendUnlessConflict(kube.http())
              .or(() -> kube.http().find(Resource.NODES, "", name));
      written.ifPresent(after -> latest.wrote(name, ValidationNodeObject.read(after)));
      if (written.map(ValidationNodeObject::read).filter(ValidationNodeObject::isDue).isPresent()) {
        loops.wake(name); // it was changed meanwhile
      }
    }

    private void create(ValidationNodeObject node, ValidationSession session) {
      try {
        RenderedResource rendered =
            template
                .render(session.data(), schemas.of(resource.apiVersion(), rules.kind()))
                .kind(resource.apiVersion(), rules.kind());
        String given = rendered.name();
        rendered
            .named(
                ObjectName.of(
                    given.isEmpty() ? "validation-%s-%s".formatted(name, session.id()) : given))
            .ownedBy(node.object())
            .label(NODE_LABEL, node.uid())
            .annotation(NODE_ANNOTATION, name)
            .traced(session.trace(), String.valueOf(session.data().get("SpanID")));
        var created = kube.http().createOrFind(resource, rendered.body());
        if (!created.existed()) {
          LOG.info("node {}: {} {} was made", name, rules.kind(), rendered.name());
          tell(
              node,
              new Occurrence(false, "ValidationRequested", ACTION),
              "%s %s: %s"
                  .formatted(rules.kind(), rendered.name(), String.join(", ", session.tests())));
        }
      } catch (ExpectedFailure failure) {
        schemas.forget(); // the CRD may have changed since its schema was read
        String why = String.valueOf(failure.getMessage());
        boolean passes = failure instanceof ApiFailure refused && refused.isRetriable();
        if (!passes && !why.equals(problem)) {
          problem = why;
          tell(node, new Occurrence(true, "ValidationNotRequested", ACTION), why);
        }
        throw failure; // and tried again: nobody else would
      }
    }

    private void tell(ValidationNodeObject node, Occurrence occurrence, String text) {
      kube.events().record(node.object().regarding(Resource.NODES), occurrence, text);
    }

    /** When to look again at a request that nobody has taken notice of. */
    private Optional<Instant> reportUnserved(ValidationNodeObject node) {
      Optional<Instant> next = Optional.empty();
      for (ApiObject request : requests.state(name).items()) {
        boolean served = ServedCondition.isServed(request);
        Instant due = request.created().plus(SERVED_WITHIN);
        boolean said = request.conditions().get(ServedCondition.TYPE).isPresent();
        if (!served && !said && now().isBefore(due)) {
          next = Optional.of(next.filter(other -> other.isBefore(due)).orElse(due));
        } else if (served == said) {
          var _ =
              ServedCondition.write(
                  kube.http(),
                  resource,
                  request,
                  served ? Optional.empty() : Optional.of(Waiting.forController(resource)),
                  now());
          if (!served) {
            tell(
                node,
                new Occurrence(true, "ValidationUnserved", ACTION),
                "%s %s: no controller has taken notice of it"
                    .formatted(rules.kind(), request.name()));
          }
        }
      }
      return next;
    }
  }
}
