package dev.drydock.health.template;

import java.util.Map;
import java.util.Optional;

/**
 * A structure with fields by name, and their getters.
 *
 * @param typeName for messages
 */
public record TemplateRecord(String typeName, Map<String, Object> fields)
    implements TemplateStruct {
  private static final String GETTER = "Get";

  public TemplateRecord {
    fields = Map.copyOf(fields);
  }

  @Override
  public Optional<Object> member(String name) {
    return Optional.ofNullable(fields.get(name))
        .or(
            () ->
                name.startsWith(GETTER)
                    ? Optional.ofNullable(fields.get(name.substring(GETTER.length())))
                    : Optional.empty());
  }
}
