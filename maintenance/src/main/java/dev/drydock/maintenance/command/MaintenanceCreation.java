package dev.drydock.maintenance.command;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.command.DryRunOption;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Creates a NotifyMaintenance per node; leaves existing ones unchanged. */
final class MaintenanceCreation {
  /** A maintenance that exists now, or would without --dry-run. */
  record Made(String node, JsonNode object, boolean existed) {
    String state() {
      return text(object.path("status"), "maintenanceStatus");
    }
  }

  private final KubeHttp http;
  private final RequestedMaintenance request;
  private final DryRunOption dryRun;

  MaintenanceCreation(KubeHttp http, RequestedMaintenance request, DryRunOption dryRun) {
    this.http = http;
    this.request = request;
    this.dryRun = dryRun;
  }

  Made of(String node) {
    if (dryRun == DryRunOption.client) {
      return find(node)
          .map(found -> existing(node, found))
          .orElseGet(() -> new Made(node, request.manifest(node), false));
    }
    String query = dryRun == DryRunOption.server ? "?dryRun=All" : "";
    KubeAnswer answer =
        http.send(ApiCall.create(request.collection() + query, request.manifest(node).toString()));
    if (answer.ok()) {
      return new Made(node, answer.body(), false);
    }
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND
        && answer.message().contains("namespaces \"%s\"".formatted(request.namespace()))) {
      throw ApiFailure.noNamespace(request.namespace());
    }
    // Admission, which refuses a second one with the same ID, may run before the name is checked.
    return find(node)
        .map(found -> existing(node, found))
        .orElseGet(
            () -> new Made(node, answer.orThrow("NotifyMaintenance " + request.name(node)), false));
  }

  private Optional<JsonNode> find(String node) {
    return http.find(NotifyMaintenanceObject.RESOURCE, request.namespace(), request.name(node));
  }

  private Made existing(String node, JsonNode object) {
    var differences = request.differences(node, object);
    if (!differences.isEmpty()) {
      throw new CommandFailure(
          "NotifyMaintenance %s/%s already exists, but its %s; use another --id, or first run: %s"
              .formatted(
                  request.namespace(),
                  request.name(node),
                  String.join(", its ", differences),
                  request.deletion(java.util.List.of(node))));
    }
    return new Made(node, object, true);
  }
}
