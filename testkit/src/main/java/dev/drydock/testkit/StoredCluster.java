package dev.drydock.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects of a simulated cluster at some moment, in a file. One build writes it, and a test of
 * a later build carries on from there.
 */
public record StoredCluster(Instant at, List<ObjectNode> objects) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public StoredCluster {
    objects = List.copyOf(objects);
  }

  /** All objects of these kinds, each given as the path of its list. */
  public static StoredCluster of(SimulatedCluster cluster, List<String> kinds) {
    List<ObjectNode> objects = new ArrayList<>();
    for (String kind : kinds) {
      JsonNode list = cluster.call("GET", kind, null).body();
      for (JsonNode item : list.path("items")) {
        ObjectNode object = item.deepCopy();
        object.put("kind", list.path("kind").asText().replaceFirst("List$", ""));
        object.put("apiVersion", list.path("apiVersion").asText());
        ((ObjectNode) object.path("metadata")).remove(List.of("managedFields", "resourceVersion"));
        objects.add(object);
      }
    }
    return new StoredCluster(cluster.now(), objects);
  }

  public static StoredCluster read(Path file) throws IOException {
    JsonNode stored = JSON.readTree(file.toFile());
    List<ObjectNode> objects = new ArrayList<>();
    stored.path("objects").forEach(each -> objects.add(each.deepCopy()));
    return new StoredCluster(Instant.parse(stored.path("at").asText()), objects);
  }

  public void write(Path file) throws IOException {
    ObjectNode stored = JSON.createObjectNode().put("at", at.toString());
    objects.forEach(stored.withArray("objects")::add);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(stored) + "\n");
  }
}
