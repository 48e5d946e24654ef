package dev.drydock.health.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Resource;

/** A resource that a template gave, completed by what no template decides. */
public final class RenderedResource {
  public static final String TRACE_ID = "nvsentinel.nvidia.com/trace-id";
  public static final String SPAN_ID = "nvsentinel.nvidia.com/span-id";

  private final ObjectNode body;

  private RenderedResource(ObjectNode body) {
    this.body = body;
  }

  /** Copies what a template gave. */
  public static RenderedResource of(ObjectNode given) {
    return new RenderedResource(given.deepCopy());
  }

  public RenderedResource kind(String apiVersion, String kind) {
    body.put("apiVersion", apiVersion).put("kind", kind);
    return this;
  }

  /** Sets the namespace, unless the template gives one. */
  public RenderedResource namespace(String namespace) {
    if (metadata().path("namespace").asText("").isEmpty()) {
      metadata().put("namespace", namespace);
    }
    return this;
  }

  /** The name that the template gives; empty if none. */
  public String name() {
    return metadata().path("name").asText("");
  }

  public RenderedResource named(String name) {
    metadata().put("name", name);
    return this;
  }

  /** The Node owns it: with the Node it goes, too. */
  public RenderedResource ownedBy(ApiObject node) {
    metadata().putArray("ownerReferences").add(node.ownerReference(Resource.NODES));
    return this;
  }

  public RenderedResource label(String key, String value) {
    child(metadata(), "labels").put(key, value);
    return this;
  }

  public RenderedResource annotation(String key, String value) {
    child(metadata(), "annotations").put(key, value);
    return this;
  }

  /** Adds the annotations of the trace, unless the template has them or there is no trace. */
  public RenderedResource traced(String trace, String span) {
    JsonNode present = metadata().path("annotations");
    return trace.isEmpty() || present.has(TRACE_ID)
        ? this
        : annotation(TRACE_ID, trace).annotation(SPAN_ID, span);
  }

  public ObjectNode body() {
    return body;
  }

  private ObjectNode metadata() {
    return child(body, "metadata");
  }

  static ObjectNode child(ObjectNode parent, String field) {
    return parent.path(field) instanceof ObjectNode there ? there : parent.putObject(field);
  }
}
