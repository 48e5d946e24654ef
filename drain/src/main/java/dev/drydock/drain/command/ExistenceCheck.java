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
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Gatherers;

/** Checks that named objects exist, and suggests similar names if they do not. */
public final class ExistenceCheck {
  private static final int READS_AT_ONCE = 16;
  private static final Resource CLASSES =
      Resource.cluster(
          MaintenanceClass.GROUP,
          MaintenanceClass.VERSION,
          MaintenanceClass.PLURAL,
          MaintenanceClass.KIND);

  private final KubeHttp http;

  public ExistenceCheck(KubeHttp http) {
    this.http = http;
  }

  /** The Nodes in the given order. */
  public List<JsonNode> requireNodes(List<String> names) {
    return names.stream()
        .gather(
            Gatherers.mapConcurrent(READS_AT_ONCE, name -> require(Resource.NODES, "node", name)))
        .toList();
  }

  private JsonNode require(Resource resource, String word, String name) {
    return http.find(resource, "", name)
        .orElseThrow(
            () ->
                new CommandFailure(
                    "%s %s does not exist%s; see: kubectl get %s"
                        .formatted(word, name, nearest(resource, name), resource.plural())));
  }

  public void requireClass(String name) {
    requireKind(CLASSES.collection(""), CLASSES.kind());
    var _ = require(CLASSES, CLASSES.kind(), name);
  }

  /** A user without read permission gets the error later, when it matters. */
  public void requireKind(String collection, String kind) {
    KubeAnswer answer = http.send(ApiCall.list(collection + "?limit=1"));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw CrdInstall.missing(kind, CrdInstall.ALL);
    }
  }

  private String nearest(Resource resource, String name) {
    List<String> known = new ArrayList<>();
    // Only a suggestion, so failing to list them is not reported.
    var _ = http.list(resource.all(), object -> known.add(text(object.path("metadata"), "name")));
    return NearestName.hint(name, known);
  }
}
