package dev.drydock.drain.request;

import static dev.drydock.kube.Fields.count;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.hold.DrainApiPaths;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.drain.request.decide.PodCount;
import dev.drydock.kube.Typed;
import dev.drydock.kube.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A DrainRequest as it was read: what decisions need, and what writing back needs.
 *
 * @param version its resourceVersion
 * @param conditions the current ones, also those of other writers
 * @param status the current one
 */
public record DrainRequestObject(
    DrainRequestFacts facts, String uid, String version, List<JsonNode> conditions, JsonNode status)
    implements Versioned {
  public static DrainRequestObject read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode status = object.path("status");
    List<String> finalizers = new ArrayList<>();
    metadata.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
    List<JsonNode> conditions = new ArrayList<>();
    status.path("conditions").forEach(conditions::add);
    DrainRequestSpec spec = Typed.read(object.path("spec"), DrainRequestSpec.class);
    var _ = Typed.required("spec.nodeName", spec.nodeName());
    DrainRequestFacts facts =
        new DrainRequestFacts(
            text(metadata, "namespace"),
            text(metadata, "name"),
            metadata.path("generation").asLong(0),
            metadata.hasNonNull("deletionTimestamp"),
            finalizers,
            Optional.of(text(metadata.path("annotations"), DrainRequest.DRAINER_ANNOTATION))
                .filter(drainer -> !drainer.isEmpty()),
            spec,
            complete(conditions)
                .map(
                    condition ->
                        new DrainRequestFacts.Complete(
                            text(condition, "status"),
                            text(condition, "reason"),
                            condition.path("observedGeneration").asLong(0))),
            new PodCount(count(status, "podsGone"), left(status)));
    return new DrainRequestObject(
        facts,
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        List.copyOf(conditions),
        status);
  }

  private static OptionalInt left(JsonNode status) {
    return status.path("podsLeft").isIntegralNumber()
        ? OptionalInt.of(count(status, "podsLeft"))
        : OptionalInt.empty();
  }

  public static Optional<JsonNode> complete(List<JsonNode> conditions) {
    return conditions.stream()
        .filter(condition -> text(condition, "type").equals(DrainRequest.COMPLETE_CONDITION))
        .findFirst();
  }

  public String path() {
    return DrainApiPaths.drainRequest(facts.namespace(), facts.name());
  }

  @Override
  public String toString() {
    return facts.namespace() + "/" + facts.name();
  }
}
