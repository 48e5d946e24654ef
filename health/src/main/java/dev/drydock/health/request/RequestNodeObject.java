package dev.drydock.health.request;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.MaintenanceRequest;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Versioned;

/**
 * A Node, as far as MaintenanceRequests are concerned.
 *
 * @param active the name of the request that is active on it; empty if there is none
 */
record RequestNodeObject(String name, String uid, String version, String active)
    implements Versioned {
  static RequestNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    return new RequestNodeObject(
        text(metadata, "name"),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        text(metadata.path("annotations"), MaintenanceRequest.ACTIVE));
  }

  ApiObject object() {
    return ApiObject.identified("", name, uid, version);
  }
}
