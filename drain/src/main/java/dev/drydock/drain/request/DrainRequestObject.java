package dev.drydock.drain.request;

import static dev.drydock.kube.Fields.count;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.drain.request.decide.PodCount;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.kube.VersionedObject;
import java.util.Optional;
import java.util.OptionalInt;

/** A DrainRequest as it was read. */
public record DrainRequestObject(ApiObject object, DrainRequestFacts facts)
    implements VersionedObject {
  public static final Resource RESOURCE =
      Resource.namespaced(
          DrainRequest.GROUP, DrainRequest.VERSION, "drainrequests", DrainRequest.KIND);

  public static DrainRequestObject read(JsonNode read) {
    ApiObject object = ApiObject.of(read);
    DrainRequestSpec spec = Typed.read(object.spec(), DrainRequestSpec.class);
    var _ = Typed.required("spec.nodeName", spec.nodeName());
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
            new PodCount(count(object.status(), "podsGone"), left(object.status()))));
  }

  private static OptionalInt left(JsonNode status) {
    return status.path("podsLeft").isIntegralNumber()
        ? OptionalInt.of(count(status, "podsLeft"))
        : OptionalInt.empty();
  }

  private static Optional<JsonNode> complete(ApiObject object) {
    return object.conditions().get(DrainRequest.COMPLETE_CONDITION);
  }

  /** Of the condition that its clients wait for; may be empty. */
  String message() {
    return complete(object).map(condition -> text(condition, "message")).orElse("");
  }

  @Override
  public String toString() {
    return object.toString();
  }
}
