package dev.drydock.app.example;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Fields;
import java.time.Instant;

/** An Inspection as it was read. */
record InspectionObject(String namespace, String name, String uid, String node, Instant created) {
  static InspectionObject read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new InspectionObject(
        text(metadata, "namespace"),
        text(metadata, "name"),
        text(metadata, "uid"),
        text(object.path("spec"), "nodeName"),
        Fields.time(metadata, "creationTimestamp"));
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
