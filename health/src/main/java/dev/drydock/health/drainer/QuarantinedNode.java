package dev.drydock.health.drainer;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.drainer.decide.DrainGoal;
import dev.drydock.health.quarantine.QuarantineNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Versioned;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Node, as far as drains for health events are concerned.
 *
 * @param quarantined whether it is in quarantine
 * @param episode of the quarantine; empty if another program made it
 * @param holders of ours
 */
record QuarantinedNode(
    String name,
    String uid,
    String version,
    Map<String, String> labels,
    boolean quarantined,
    String episode,
    Set<String> holders,
    Optional<NodeDrainRecord> record)
    implements Versioned {
  static QuarantinedNode read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    Map<String, String> annotations = Fields.texts(metadata.path("annotations"));
    try {
      return new QuarantinedNode(
          text(metadata, "name"),
          text(metadata, "uid"),
          text(metadata, "resourceVersion"),
          Map.copyOf(Fields.texts(metadata.path("labels"))),
          !annotations.getOrDefault(QuarantineNames.EVENTS, "").isEmpty(),
          text(Json.read(annotations.getOrDefault(QuarantineNames.JOURNAL, "{}")), "episode"),
          holders(annotations),
          NodeDrainRecord.read(annotations.getOrDefault(NodeDrainerNames.RECORD, "")));
    } catch (IOException malformed) {
      throw new IllegalArgumentException(
          "the annotations of its quarantine cannot be read: " + malformed.getMessage(), malformed);
    }
  }

  private static Set<String> holders(Map<String, String> annotations) throws IOException {
    return Json.read(annotations.getOrDefault(HoldsAnnotation.NAME, "{}")).properties().stream()
        .map(Map.Entry::getKey)
        .filter(NodeDrainerNames::isOurs)
        .collect(Collectors.toUnmodifiableSet());
  }

  Optional<StateLabel> state() {
    return StateLabel.find(labels.getOrDefault(HealthNames.STATE_LABEL, ""));
  }

  boolean hasState() {
    return labels.containsKey(HealthNames.STATE_LABEL);
  }

  /** Whether it is in the quarantine that the drain is for. */
  boolean isIn(DrainGoal goal) {
    return quarantined
        && (episode.isEmpty()
            || goal.owner().episode().isEmpty()
            || episode.equals(goal.owner().episode()));
  }

  /** All that a write needs. */
  ApiObject identity() {
    return ApiObject.identified("", name, uid, version);
  }
}
