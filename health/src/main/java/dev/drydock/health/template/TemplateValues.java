package dev.drydock.health.template;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The values of templates: {@link TemplateText}, Long, Short for a byte, Double, Boolean, {@link
 * TemplateEnum}, List, {@link TemplateMap}, {@link TemplateStruct}, {@link #NIL} and {@link #NONE}.
 */
public final class TemplateValues {
  /** A nil pointer. */
  public static final Object NIL = new Absent("<nil>");

  /** What is not there, such as the value of a key that a map does not have. */
  static final Object NONE = new Absent("<no value>");

  private record Absent(String shown) {
    @Override
    public String toString() {
      return shown;
    }
  }

  private TemplateValues() {}

  /** A value of the data as one of templates. */
  static Object of(Object value) {
    return switch (value) {
      case String text -> TemplateText.data(text);
      case Integer number -> number.longValue();
      default -> value;
    };
  }

  static boolean isAbsent(Object value) {
    return value instanceof Absent;
  }

  static boolean isTrue(Object value) {
    return switch (value) {
      case Absent _ -> false;
      case Boolean flag -> flag;
      case Long number -> number != 0;
      case Short octet -> octet != 0;
      case Double number -> number != 0;
      case TemplateEnum named -> named.number() != 0;
      case TemplateText text -> !text.text().isEmpty();
      case List<?> list -> !list.isEmpty();
      case TemplateMap map -> !map.entries().isEmpty();
      default -> true;
    };
  }

  /** How Go calls its type. */
  static String type(Object value) {
    return switch (value) {
      case Absent _ -> "nil";
      case Boolean _ -> "bool";
      case Long _ -> "int";
      case Short _ -> "uint8";
      case Double _ -> "float64";
      case TemplateText _ -> "string";
      case TemplateEnum _ -> "int32";
      case List<?> _ -> "[]string";
      case TemplateMap map ->
          map.zero() instanceof List<?> ? "map[string][]string" : "map[string]string";
      case TemplateStruct struct -> struct.typeName();
      default -> value.getClass().getSimpleName();
    };
  }

  /** In bytes, as Go counts. */
  static int length(TemplateText text) {
    return text.text().getBytes(StandardCharsets.UTF_8).length;
  }
}
