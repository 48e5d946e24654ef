package dev.drydock.sim.kubelet;

import java.util.LinkedHashMap;
import java.util.Map;

/** The configuration of simulated nodes: labels, annotations (including knobs) and capacity. */
public record NodeTemplate(
    Map<String, String> labels, Map<String, String> annotations, Map<String, String> capacity) {

  /** A server of ordinary size with room for 110 pods. */
  public static final NodeTemplate DEFAULT =
      new NodeTemplate(
          Map.of(),
          Map.of(),
          Map.of("cpu", "32", "memory", "256Gi", "ephemeral-storage", "500Gi", "pods", "110"));

  public NodeTemplate {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    capacity = Map.copyOf(capacity);
  }

  public NodeTemplate withLabel(String name, String value) {
    return new NodeTemplate(with(labels, name, value), annotations, capacity);
  }

  public NodeTemplate withAnnotation(String name, String value) {
    return new NodeTemplate(labels, with(annotations, name, value), capacity);
  }

  /** Sets a knob for this node, or a default for its pods. */
  public NodeTemplate with(Knob knob, String value) {
    return withAnnotation(knob.annotation(), value);
  }

  /**
   * Sets a resource's quantity, e.g. {@code nvidia.com/gpu} and {@code 8}; all of it is
   * allocatable.
   */
  public NodeTemplate withCapacity(String resource, String quantity) {
    return new NodeTemplate(labels, annotations, with(capacity, resource, quantity));
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(map);
    more.put(key, value);
    return more;
  }
}
