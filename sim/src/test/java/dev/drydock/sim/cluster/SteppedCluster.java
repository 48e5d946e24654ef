package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.SimulatedCluster.Settings;
import dev.drydock.sim.call.LocalCalls.Answer;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** A cluster in virtual time, with short methods for tests. */
final class SteppedCluster implements AutoCloseable {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final ObjectMapper YAML = new YAMLMapper();

  final SimulatedCluster cluster;

  SteppedCluster() {
    this(Settings.defaults());
  }

  SteppedCluster(Settings settings) {
    cluster = SimulatedCluster.stepped(settings, START);
  }

  static SteppedCluster withNodes(int count) {
    SteppedCluster cluster = new SteppedCluster();
    cluster.cluster.addNodes(count, "node-", NodeTemplate.DEFAULT);
    return cluster;
  }

  static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  ObjectNode create(String text) {
    Answer answer = cluster.create(yaml(text));
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(201);
    return (ObjectNode) answer.body();
  }

  /** Sends a merge patch in YAML. */
  void patch(String kind, String name, String patch) {
    String namespace = kind.equals("Node") ? "" : "default";
    Answer answer = cluster.patch(kind, namespace, name, "", yaml(patch));
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
  }

  void setKnob(String kind, String name, Knob knob, String value) {
    patch(kind, name, "{metadata: {annotations: {'%s': %s}}}".formatted(knob.annotation(), value));
  }

  void delete(String kind, String name) {
    Answer answer = cluster.delete(kind, kind.equals("Node") ? "" : "default", name, null);
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
  }

  void advance(String duration) {
    cluster.advance(Duration.parse("PT" + duration));
  }

  ObjectNode get(String kind, String name) {
    String namespace = kind.equals("Node") ? "" : "default";
    return Objects.requireNonNull(cluster.find(kind, namespace, name), kind + " " + name);
  }

  String text(String kind, String name, String... path) {
    return JsonTrees.text(get(kind, name), path);
  }

  int count(String kind, String name, String... path) {
    return JsonTrees.at(get(kind, name), path).asInt();
  }

  /** All objects of a kind in the default namespace, or nodes. */
  List<ObjectNode> all(String kind) {
    Answer answer = cluster.list(kind, kind.equals("Node") ? "" : "default", "");
    return StreamSupport.stream(answer.body().path("items").spliterator(), false)
        .map(ObjectNode.class::cast)
        .toList();
  }

  List<String> names(String kind) {
    return all(kind).stream().map(each -> JsonTrees.text(each, "metadata", "name")).toList();
  }

  static String condition(ObjectNode object, String type) {
    return JsonTrees.at(object, "status", "conditions")
        .valueStream()
        .filter(each -> JsonTrees.text(each, "type").equals(type))
        .map(each -> JsonTrees.text(each, "status"))
        .findFirst()
        .orElse("");
  }

  static boolean isReady(ObjectNode object) {
    return condition(object, "Ready").equals("True");
  }

  long ready(String kind) {
    return all(kind).stream().filter(SteppedCluster::isReady).count();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
