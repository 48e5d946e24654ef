package dev.drydock.drain.command;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.NearestName;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Gatherers;

/** Checks that named objects exist, and suggests similar names if they do not. */
public final class ExistenceCheck {
  private static final int READS_AT_ONCE = 16;
  private static final String NODES = "/api/v1/nodes";
  private static final String CLASSES =
      "/apis/%s/%s/%s"
          .formatted(MaintenanceClass.GROUP, MaintenanceClass.VERSION, MaintenanceClass.PLURAL);

  private final KubeHttp http;

  public ExistenceCheck(KubeHttp http) {
    this.http = http;
  }

  /** The Nodes in the given order. */
  public List<JsonNode> requireNodes(List<String> names) {
    return names.stream()
        .gather(Gatherers.mapConcurrent(READS_AT_ONCE, name -> require(NODES, name)))
        .toList();
  }

  private JsonNode require(String collection, String name) {
    KubeAnswer answer = http.send(ApiCall.get(collection + "/" + ApiCall.encode(name)));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw collection.equals(NODES)
          ? new CommandFailure(
              "node %s does not exist%s; see: kubectl get nodes"
                  .formatted(name, nearest(NODES, name)))
          : new CommandFailure(
              "MaintenanceClass %s does not exist%s; see: kubectl get maintenanceclasses"
                  .formatted(name, nearest(CLASSES, name)));
    }
    return answer.orThrow((collection.equals(NODES) ? "node " : "MaintenanceClass ") + name);
  }

  public void requireClass(String name) {
    requireKind(CLASSES, "MaintenanceClass");
    var _ = require(CLASSES, name);
  }

  /** A user without read permission gets the error later, when it matters. */
  public void requireKind(String collection, String kind) {
    KubeAnswer answer = http.send(ApiCall.list(collection + "?limit=1"));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw CrdInstall.missing(kind, CrdInstall.ALL);
    }
  }

  private String nearest(String collection, String name) {
    List<String> known = new ArrayList<>();
    // Only a suggestion, so failing to list them is not reported.
    var _ =
        http.list(
            new Source(collection, ""), object -> known.add(text(object.path("metadata"), "name")));
    return NearestName.hint(name, known);
  }
}
