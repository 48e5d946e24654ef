package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.Json;
import org.jspecify.annotations.Nullable;

/** How something is deleted. */
public record DeleteOptions(
    @Nullable Long graceSeconds,
    String uid,
    String resourceVersion,
    String propagation,
    boolean dryRun) {
  public static final DeleteOptions NONE = new DeleteOptions(null, "", "", "", false);

  /** Reads a {@code DeleteOptions} of the API; what is not said is empty. */
  public static DeleteOptions of(JsonNode options) {
    JsonNode grace = options.path("gracePeriodSeconds");
    String propagation = Json.text(options, "propagationPolicy");
    if (propagation.isEmpty() && options.path("orphanDependents").asBoolean()) {
      propagation = "Orphan";
    }
    return new DeleteOptions(
        Json.isPresent(grace) ? grace.asLong() : null,
        Json.text(options, "preconditions", "uid"),
        Json.text(options, "preconditions", "resourceVersion"),
        propagation,
        !options.path("dryRun").isEmpty());
  }

  public DeleteOptions withDryRun(boolean dry) {
    return new DeleteOptions(graceSeconds, uid, resourceVersion, propagation, dryRun || dry);
  }

  /** Fails unless the object is the one that was meant. */
  void check(ResourceType type, String name, JsonNode object) {
    String actualUid = Json.text(object, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(actualUid)) {
      throw ApiFailure.conflict(
          type,
          name,
          ("the UID in the precondition (%s) does not match the UID in record (%s). The object"
                  + " might have been deleted and then recreated")
              .formatted(uid, actualUid));
    }
    String actualVersion = Json.text(object, "metadata", "resourceVersion");
    if (!resourceVersion.isEmpty() && !resourceVersion.equals(actualVersion)) {
      throw ApiFailure.conflict(
          type,
          name,
          ("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
                  + " record (%s). The object might have been modified")
              .formatted(resourceVersion, actualVersion));
    }
  }
}
