package dev.drydock.health.validation;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.quarantine.QuarantineAnnotations;
import dev.drydock.health.quarantine.QuarantineNames;
import dev.drydock.health.quarantine.ValidationEvents;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Versioned;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.List;
import java.util.Map;

/** A Node, as far as its validation is concerned. */
record ValidationNodeObject(
    String name,
    String uid,
    String version,
    boolean quarantined,
    List<ValidationEvents.Entry> entries)
    implements Versioned {

  static ValidationNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    Map<String, String> annotations = Fields.texts(metadata.path("annotations"));
    try {
      return new ValidationNodeObject(
          text(metadata, "name"),
          text(metadata, "uid"),
          text(metadata, "resourceVersion"),
          QuarantineAnnotations.readState(annotations).quarantine().isPresent(),
          ValidationEvents.read(annotations.getOrDefault(QuarantineNames.VALIDATION, "")));
    } catch (IOException | DateTimeException malformed) {
      throw new IllegalArgumentException(
          "the annotations of its validation cannot be read: " + malformed.getMessage(), malformed);
    }
  }

  /** Whether its quarantine is over and it is to be validated. */
  boolean isDue() {
    return !quarantined && !entries.isEmpty();
  }

  ApiObject object() {
    return ApiObject.identified("", name, uid, version);
  }
}
