package dev.drydock.health.quarantine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.health.decide.MarkedNode;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.rules.EventVariables;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Versioned;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Node as it was read.
 *
 * @param root its metadata and spec, which are all that rules see and a write needs
 */
record QuarantineNodeObject(MarkedNode node, String uid, String version, ObjectNode root)
    implements Versioned {

  Map<String, String> annotations() {
    return Fields.texts(root.path("metadata").path("annotations"));
  }

  /**
   * @param labelPrefix of the labels about cordons
   */
  static QuarantineNodeObject read(JsonNode object, String labelPrefix) {
    JsonNode metadata = object.path("metadata");
    Map<String, String> annotations = Fields.texts(metadata.path("annotations"));
    Map<String, String> labels = Fields.texts(metadata.path("labels"));
    List<NodeTaint> taints = new ArrayList<>();
    for (JsonNode taint : object.path("spec").path("taints")) {
      taints.add(new NodeTaint(text(taint, "key"), text(taint, "value"), text(taint, "effect")));
    }
    ObjectNode root = Json.object();
    root.set("metadata", metadata);
    root.set("spec", object.path("spec"));
    boolean unschedulable = object.path("spec").path("unschedulable").asBoolean(false);
    try {
      MarkedNode node =
          new MarkedNode(
              text(metadata, "name"),
              unschedulable,
              isHeld(annotations),
              taints,
              labels,
              QuarantineAnnotations.readState(annotations),
              QuarantineAnnotations.readMarks(
                  annotations, labels.getOrDefault(labelPrefix + "cordon-reason", "")),
              QuarantineAnnotations.readStrikes(annotations));
      return new QuarantineNodeObject(
          node, text(metadata, "uid"), text(metadata, "resourceVersion"), root);
    } catch (IOException | DateTimeException malformed) {
      throw new IllegalArgumentException(
          "the annotations of its quarantine cannot be read: " + malformed.getMessage(), malformed);
    }
  }

  /** Holds that cannot be read are reported when they are to be changed. */
  private static boolean isHeld(Map<String, String> annotations) {
    String text = annotations.get(HoldsAnnotation.NAME);
    try {
      return text != null && Json.read(text).has(QuarantineNames.HOLDER);
    } catch (IOException unreadable) {
      return true;
    }
  }

  String name() {
    return node.name();
  }

  /** Empty if it has none. */
  String annotation(String key) {
    return text(root.path("metadata").path("annotations"), key);
  }

  /** The node as rules see it. */
  Map<String, Object> variables() {
    return EventVariables.ofNode(root.path("metadata"), root.path("spec"));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QuarantineNodeObject seen
        && seen.uid.equals(uid)
        && seen.version.equals(version);
  }

  @Override
  public int hashCode() {
    return version.hashCode();
  }
}
