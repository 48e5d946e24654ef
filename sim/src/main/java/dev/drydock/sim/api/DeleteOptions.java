package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import org.jspecify.annotations.Nullable;

/** The options of a deletion. */
public record DeleteOptions(
    @Nullable Long graceSeconds,
    String uid,
    String resourceVersion,
    String propagation,
    boolean dryRun) {
  public static final DeleteOptions NONE = new DeleteOptions(null, "", "", "", false);

  /** Parses a {@code DeleteOptions} object; absent fields are empty. */
  public static DeleteOptions of(JsonNode options) {
    JsonNode grace = options.path("gracePeriodSeconds");
    String propagation = JsonTrees.text(options, "propagationPolicy");
    if (propagation.isEmpty() && options.path("orphanDependents").asBoolean()) {
      propagation = "Orphan";
    }
    return new DeleteOptions(
        JsonTrees.isPresent(grace) ? grace.asLong() : null,
        JsonTrees.text(options, "preconditions", "uid"),
        JsonTrees.text(options, "preconditions", "resourceVersion"),
        propagation,
        !options.path("dryRun").isEmpty());
  }

  public DeleteOptions withDryRun(boolean dry) {
    return new DeleteOptions(graceSeconds, uid, resourceVersion, propagation, dryRun || dry);
  }

  /** Fails unless the object meets the preconditions. */
  void check(ResourceType type, String name, JsonNode object) {
    String actualUid = JsonTrees.text(object, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(actualUid)) {
      throw StatusException.conflict(
          type,
          name,
          ("the UID in the precondition (%s) does not match the UID in record (%s). The object"
                  + " might have been deleted and then recreated")
              .formatted(uid, actualUid));
    }
    String actualVersion = JsonTrees.text(object, "metadata", "resourceVersion");
    if (!resourceVersion.isEmpty() && !resourceVersion.equals(actualVersion)) {
      throw StatusException.conflict(
          type,
          name,
          ("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
                  + " record (%s). The object might have been modified")
              .formatted(resourceVersion, actualVersion));
    }
  }
}
