package dev.drydock.drain.request;

import static dev.drydock.kube.Fields.count;
import static dev.drydock.kube.Fields.name;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.FirstLine;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.drain.request.decide.PodCount;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import dev.drydock.kube.Resource;
import dev.drydock.kube.ServedCondition;
import dev.drydock.kube.Typed;
import dev.drydock.kube.VersionedObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A DrainRequest as it was read. */
public record DrainRequestObject(ApiObject object, DrainRequestFacts facts)
    implements VersionedObject {
  public static final Resource RESOURCE =
      Resource.namespaced(
          DrainRequest.GROUP, DrainRequest.VERSION, "drainrequests", DrainRequest.KIND);

  private static final List<String> OURS = List.of("drydock.dev/");

  /**
   * A request that is too large or malformed has a problem, and is released when it is deleted.
   *
   * @throws IllegalStateException if it has too many finalizers
   */
  public static DrainRequestObject read(JsonNode read) {
    ApiObject object = ApiObject.bounded(read, OURS);
    if (object.problem().isPresent()) {
      object = ApiObject.bounded(withoutBlockers(read), OURS);
    }
    Optional<String> problem =
        object.problem().map(tooLarge -> "it is " + tooLarge + "; make its spec smaller");
    DrainRequestSpec spec = identity(read.path("spec"));
    if (problem.isEmpty()) {
      try {
        spec = Typed.read(object.spec(), DrainRequestSpec.class);
        var _ = Typed.required("spec.nodeName", spec.nodeName());
      } catch (IllegalStateException malformed) {
        spec = identity(read.path("spec"));
        problem = Optional.of(FirstLine.of(malformed));
      }
    }
    return new DrainRequestObject(
        object,
        new DrainRequestFacts(
            object.namespace(),
            object.name(),
            object.uid(),
            object.generation(),
            object.deleted(),
            object.finalizers(),
            Optional.ofNullable(object.annotations().get(DrainRequest.DRAINER_ANNOTATION))
                .filter(drainer -> !drainer.isEmpty()),
            spec,
            complete(object)
                .map(
                    condition ->
                        new DrainRequestFacts.Complete(
                            text(condition, "status"),
                            text(condition, "reason"),
                            condition.path("observedGeneration").asLong(0))),
            new PodCount(count(object.status(), "podsGone"), left(object.status())),
            problem,
            new DrainRequestFacts.Notice(
                object.created(),
                ServedCondition.isServed(object),
                object
                    .conditions()
                    .get(ServedCondition.TYPE)
                    .map(condition -> text(condition, "message")))));
  }

  /** Who serves it and which node it is about, whatever else is wrong with it. */
  public static DrainRequestSpec identity(JsonNode spec) {
    return DrainRequestSpec.of(name(spec, "nodeName"), null, name(spec, "drainer"), null);
  }

  /** Written for people, and again with the next change; earlier versions wrote any number. */
  private static JsonNode withoutBlockers(JsonNode read) {
    ObjectNode status = Json.object();
    read.path("status").properties().forEach(each -> status.set(each.getKey(), each.getValue()));
    status.remove("blockers");
    ObjectNode lean = Json.object();
    read.properties().forEach(each -> lean.set(each.getKey(), each.getValue()));
    return lean.set("status", status);
  }

  private static OptionalInt left(JsonNode status) {
    return status.path("podsLeft").isIntegralNumber()
        ? OptionalInt.of(count(status, "podsLeft"))
        : OptionalInt.empty();
  }

  private static Optional<JsonNode> complete(ApiObject object) {
    return object.conditions().get(DrainRequest.COMPLETE_CONDITION);
  }

  /** The message of the condition that its clients wait for; may be empty. */
  String message() {
    return complete(object).map(condition -> text(condition, "message")).orElse("");
  }

  @Override
  public String toString() {
    return object.toString();
  }
}
