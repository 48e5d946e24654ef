package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ResourceVersion;
import java.util.Map;

/**
 * A Node as it was read.
 *
 * @param reason of the condition that tells where its transition stands; empty if there is none
 * @param message of the same
 * @param history the annotation as it stands; empty if there is none
 */
public record LifecycleNodeObject(
    String name,
    String uid,
    String version,
    Map<String, String> labels,
    boolean unschedulable,
    String reason,
    String message,
    String history) {
  public LifecycleNodeObject {
    labels = Map.copyOf(labels);
  }

  public static LifecycleNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    String reason = "";
    String message = "";
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (text(condition, "type").equals(LifecycleNames.CONDITION)) {
        reason = text(condition, "reason");
        message = text(condition, "message");
      }
    }
    return new LifecycleNodeObject(
        text(metadata, "name"),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        texts(metadata.path("labels")),
        node.path("spec").path("unschedulable").asBoolean(false),
        reason,
        message,
        text(metadata.path("annotations"), LifecycleNames.HISTORY));
  }

  /** The newer of two looks at the same node. */
  public LifecycleNodeObject or(LifecycleNodeObject other) {
    return ResourceVersion.isNewer(other.version, version) ? other : this;
  }
}
