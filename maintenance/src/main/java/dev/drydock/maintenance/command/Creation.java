package dev.drydock.maintenance.command;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import java.net.HttpURLConnection;

/** Makes a NotifyMaintenance per node; one that is there already is left as it is. */
final class Creation {
  /** A maintenance that exists now, or would. */
  record Made(String node, JsonNode object, boolean existed) {
    String state() {
      return text(object.path("status"), "maintenanceStatus");
    }
  }

  private final KubeHttp http;
  private final Order order;
  private final DryRun dryRun;

  Creation(KubeHttp http, Order order, DryRun dryRun) {
    this.http = http;
    this.order = order;
    this.dryRun = dryRun;
  }

  Made of(String node) {
    if (dryRun == DryRun.client) {
      KubeAnswer found = find(node);
      return found.ok()
          ? existing(node, found.body())
          : new Made(node, order.manifest(node), false);
    }
    String query = dryRun == DryRun.server ? "?dryRun=All" : "";
    KubeAnswer answer =
        http.send(ApiCall.create(order.collection() + query, order.manifest(node).toString()));
    if (answer.ok()) {
      return new Made(node, answer.body(), false);
    }
    // What refuses a second one with the same ID may be asked before the name is looked at.
    KubeAnswer found = find(node);
    return found.ok()
        ? existing(node, found.body())
        : new Made(node, answer.orThrow("NotifyMaintenance " + order.name(node)), false);
  }

  private KubeAnswer find(String node) {
    KubeAnswer answer =
        http.send(ApiCall.get(order.collection() + "/" + ApiCall.encode(order.name(node))));
    if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = answer.orThrow("NotifyMaintenance " + order.name(node));
    }
    return answer;
  }

  private Made existing(String node, JsonNode object) {
    var differences = order.differences(node, object);
    if (!differences.isEmpty()) {
      throw new CommandFailure(
          "NotifyMaintenance %s/%s is there already, but its %s; use another --id, or first run: %s"
              .formatted(
                  order.namespace(),
                  order.name(node),
                  String.join(", its ", differences),
                  order.deletion(java.util.List.of(node))));
    }
    return new Made(node, object, true);
  }
}
