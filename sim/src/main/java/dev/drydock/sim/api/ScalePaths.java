package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;

/**
 * The paths of the desired replicas, current replicas and label selector, each like {@code
 * .spec.replicas}. The selector path is optional.
 */
public record ScalePaths(String wanted, String actual, String selected) {
  public static final ScalePaths DEFAULT =
      new ScalePaths(".spec.replicas", ".status.replicas", ".spec.selector");

  public JsonNode spec(JsonNode object) {
    return at(object, wanted);
  }

  public JsonNode status(JsonNode object) {
    return at(object, actual);
  }

  public JsonNode selector(JsonNode object) {
    return selected.isEmpty() ? MissingNode.getInstance() : at(object, selected);
  }

  public void setReplicas(ObjectNode object, int replicas) {
    String[] path = steps(wanted);
    ObjectNode parent = object;
    for (int i = 0; i < path.length - 1; i++) {
      parent = JsonTrees.child(parent, path[i]);
    }
    parent.put(path[path.length - 1], replicas);
  }

  private static JsonNode at(JsonNode object, String path) {
    return JsonTrees.at(object, steps(path));
  }

  private static String[] steps(String path) {
    return path.substring(1).split("\\.");
  }
}
