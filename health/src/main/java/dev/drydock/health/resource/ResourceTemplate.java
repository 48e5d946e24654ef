package dev.drydock.health.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.health.template.GoTemplate;
import dev.drydock.health.template.TemplateFailed;
import dev.drydock.health.template.TemplateInvalid;
import dev.drydock.health.template.TemplateRecord;
import dev.drydock.health.template.TemplateYaml;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A template of a resource: YAML in the language of Go's text/template. */
public final class ResourceTemplate {
  private final String source;
  private final GoTemplate template;

  private ResourceTemplate(String source, GoTemplate template) {
    this.source = source;
    this.template = template;
  }

  /**
   * Reads the text of a template.
   *
   * @param source where the text comes from, for people
   * @throws ResourceTemplateInvalid if it is not a template
   */
  public static ResourceTemplate parse(String source, String text) {
    try {
      return new ResourceTemplate(source, GoTemplate.parse(source, text));
    } catch (TemplateInvalid malformed) {
      throw new ResourceTemplateInvalid(String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Reads a file of a folder.
   *
   * @throws ResourceTemplateInvalid if there is no such file, or it is not a template
   */
  public static ResourceTemplate read(Path folder, String name) {
    Path file = folder.resolve(name).normalize();
    if (name.isEmpty() || !file.startsWith(folder.normalize())) {
      throw new ResourceTemplateInvalid(
          "\"%s\" is not the name of a file in %s".formatted(name, folder));
    }
    try {
      return parse(name, Files.readString(file));
    } catch (NoSuchFileException missing) {
      throw new ResourceTemplateInvalid("there is no template " + file);
    } catch (IOException unreadable) {
      throw new ResourceTemplateInvalid(
          "template %s cannot be read: %s".formatted(file, unreadable.getMessage()));
    }
  }

  /**
   * The resource for these values.
   *
   * @param data by the names that templates use
   * @param schema of the resource's kind, as in OpenAPI; a missing node if it is not known
   * @throws ResourceTemplateInvalid if they give no resource
   */
  public RenderedResource render(Map<String, Object> data, JsonNode schema) {
    try {
      return RenderedResource.of(
          TemplateYaml.read(
              template.execute(new TemplateRecord("the data of the template", data)),
              withMetadata(schema)));
    } catch (TemplateFailed failed) {
      String line = String.valueOf(failed.getMessage());
      throw new ResourceTemplateInvalid(
          line.contains(source) ? line : "template %s: %s".formatted(source, line));
    }
  }

  /** The metadata of every kind, which a CRD's own schema does not describe. */
  private static JsonNode withMetadata(JsonNode schema) {
    ObjectNode copy = schema instanceof ObjectNode known ? known.deepCopy() : Json.object();
    ObjectNode fields = Json.object();
    for (String map : List.of("labels", "annotations")) {
      fields.putObject(map).putObject("additionalProperties").put("type", "string");
    }
    for (String text : List.of("name", "namespace")) {
      fields.putObject(text).put("type", "string");
    }
    RenderedResource.child(copy, "properties").putObject("metadata").set("properties", fields);
    return copy;
  }
}
