package dev.drydock.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Converts parts of API objects to records. Ignores fields of newer CRD versions. Separate from
 * {@link Json} because an object mapper is slow to build and short commands need none.
 */
public final class Typed {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(new SimpleModule().addDeserializer(Integer.class, new CappedInteger()))
          .build();

  private Typed() {}

  /**
   * Converts an object that the server has validated against its schema. Integers are capped,
   * because a schema without limits accepts any.
   *
   * @throws IllegalStateException with one line that says what is wrong, if the server had another
   *     schema for it
   */
  public static <T> T read(JsonNode part, Class<T> type) {
    if (!part.isObject()) {
      throw new IllegalStateException("it has no %s".formatted(nameOf(type)));
    }
    try {
      return JSON.treeToValue(part, type);
    } catch (JsonProcessingException notChecked) {
      throw new IllegalStateException(
          "the API server accepted a malformed %s: %s"
              .formatted(nameOf(type), notChecked.getOriginalMessage()),
          notChecked);
    }
  }

  /**
   * A field that the definition requires.
   *
   * @throws IllegalStateException if another definition let it be left out
   */
  public static <T> T required(String field, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException(field + " is missing");
    }
    return value;
  }

  /** The part of an object that a type of ours is for: its spec or its status. */
  private static String nameOf(Class<?> type) {
    String name = type.getSimpleName();
    return name.endsWith("Spec") ? "spec" : name.endsWith("Status") ? "status" : name;
  }

  /** The JSON of a part of an object, to be written. */
  public static JsonNode tree(Object part) {
    return JSON.valueToTree(part);
  }

  private static final class CappedInteger extends StdScalarDeserializer<Integer> {
    private static final long serialVersionUID = 1L;

    CappedInteger() {
      super(Integer.class);
    }

    @Override
    public Integer deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (!parser.currentToken().isNumeric()) {
        return (Integer) context.handleUnexpectedToken(Integer.class, parser);
      }
      double number = parser.getNumberValue().doubleValue();
      return (int) Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
  }
}
