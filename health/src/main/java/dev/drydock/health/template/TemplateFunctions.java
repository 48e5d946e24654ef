package dev.drydock.health.template;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The functions that every template has. {@code and} and {@code or} look at no more than needed.
 */
final class TemplateFunctions {
  static final Set<String> NAMES =
      Set.of(
          "and",
          "or",
          "not",
          "len",
          "index",
          "slice",
          "print",
          "printf",
          "println",
          "html",
          "js",
          "urlquery",
          "call",
          "eq",
          "ne",
          "lt",
          "le",
          "gt",
          "ge");

  private TemplateFunctions() {}

  static Object call(String name, List<Object> arguments) {
    return switch (name) {
      case "not" -> !TemplateValues.isTrue(only(name, arguments));
      case "len" -> length(only(name, arguments));
      case "index" -> index(first(name, arguments), arguments.subList(1, arguments.size()));
      case "slice" -> slice(first(name, arguments), arguments.subList(1, arguments.size()));
      case "print" -> GoFormat.print(printable(arguments));
      case "println" -> GoFormat.println(printable(arguments));
      case "printf" -> printf(arguments);
      case "html" -> escaped(arguments, GoQuoting::html, false);
      case "js" -> escaped(arguments, GoQuoting::javaScript, true);
      case "urlquery" -> escaped(arguments, GoQuoting::query, false);
      case "eq" -> isEqual(first(name, arguments), arguments.subList(1, arguments.size()));
      case "ne" -> !isEqual(pair(name, arguments).getFirst(), arguments.subList(1, 2));
      case "lt" -> isLess(pair(name, arguments));
      case "le" -> isLessOrEqual(pair(name, arguments));
      case "gt" -> !isLessOrEqual(pair(name, arguments));
      case "ge" -> !isLess(pair(name, arguments));
      default -> throw new TemplateFailed(name + ": there is nothing to call");
    };
  }

  private static Object only(String name, List<Object> arguments) {
    if (arguments.size() != 1) {
      throw wrongNumber(name, arguments);
    }
    return arguments.getFirst();
  }

  private static Object first(String name, List<Object> arguments) {
    if (arguments.isEmpty()) {
      throw wrongNumber(name, arguments);
    }
    return arguments.getFirst();
  }

  private static List<Object> pair(String name, List<Object> arguments) {
    if (arguments.size() != 2) {
      throw wrongNumber(name, arguments);
    }
    return arguments;
  }

  private static TemplateFailed wrongNumber(String name, List<Object> arguments) {
    return new TemplateFailed(
        "wrong number of arguments for %s: %d".formatted(name, arguments.size()));
  }

  /** A function gets nil for what is not there. */
  private static List<Object> printable(List<Object> arguments) {
    return arguments.stream()
        .map(each -> each.equals(TemplateValues.NONE) ? TemplateValues.NIL : each)
        .toList();
  }

  private static Object printf(List<Object> arguments) {
    if (first("printf", arguments) instanceof TemplateText format) {
      return GoFormat.printf(format, printable(arguments.subList(1, arguments.size())));
    }
    throw new TemplateFailed(
        "printf: expected a string as format, not " + TemplateValues.type(arguments.getFirst()));
  }

  /**
   * @param forQuotes whether it is escaped only to stand between quotes, so that the value is what
   *     it was before
   */
  private static Object escaped(
      List<Object> arguments, UnaryOperator<String> escape, boolean forQuotes) {
    List<Object> shown =
        arguments.stream()
            .map(
                each ->
                    each.equals(TemplateValues.NONE) ? TemplateText.literal(each.toString()) : each)
            .toList();
    TemplateText text =
        shown.size() == 1 && shown.getFirst() instanceof TemplateText only
            ? only
            : GoFormat.print(shown);
    String escaped = escape.apply(text.text());
    if (!text.hasData()) {
      return TemplateText.literal(escaped);
    }
    return TemplateText.escaped(escaped, forQuotes ? text.text() : escaped);
  }

  private static Object length(Object value) {
    return switch (value) {
      case TemplateText text -> (long) TemplateValues.length(text);
      case List<?> list -> (long) list.size();
      case TemplateMap map -> (long) map.entries().size();
      default -> throw new TemplateFailed("len of type " + TemplateValues.type(value));
    };
  }

  private static Object index(Object value, List<Object> indexes) {
    if (TemplateValues.isAbsent(value)) {
      throw new TemplateFailed("index of untyped nil");
    }
    Object found = value;
    for (Object index : indexes) {
      found =
          switch (found) {
            case List<?> list -> TemplateValues.of(list.get(position(index, list.size() - 1)));
            case TemplateText text -> {
              byte[] bytes = text.text().getBytes(StandardCharsets.UTF_8);
              yield (short) (bytes[position(index, bytes.length - 1)] & 0xff);
            }
            case TemplateMap map -> entry(map, index);
            default ->
                throw new TemplateFailed("cannot index item of type " + TemplateValues.type(found));
          };
    }
    return found;
  }

  private static Object entry(TemplateMap map, Object key) {
    if (!(key instanceof TemplateText text)) {
      throw new TemplateFailed("a key is a string, not " + TemplateValues.type(key));
    }
    Object value = map.entries().get(text.text());
    return TemplateValues.of(value == null ? map.zero() : value);
  }

  private static int position(Object index, int last) {
    long number =
        switch (index) {
          case Long plain -> plain;
          case TemplateEnum named -> named.number();
          case Short octet -> octet;
          default ->
              throw new TemplateFailed("cannot index with type " + TemplateValues.type(index));
        };
    if (number < 0 || number > last) {
      throw new TemplateFailed("index out of range: " + number);
    }
    return (int) number;
  }

  private static Object slice(Object value, List<Object> indexes) {
    if (indexes.size() > 3) {
      throw new TemplateFailed("too many slice indexes: " + indexes.size());
    }
    return switch (value) {
      case TemplateText text -> {
        if (indexes.size() == 3) {
          throw new TemplateFailed("cannot 3-index slice a string");
        }
        byte[] bytes = text.text().getBytes(StandardCharsets.UTF_8);
        int[] bounds = bounds(indexes, bytes.length);
        yield text.changed(
            new String(bytes, bounds[0], bounds[1] - bounds[0], StandardCharsets.UTF_8));
      }
      case List<?> list -> {
        int[] bounds = bounds(indexes, list.size());
        yield list.subList(bounds[0], bounds[1]);
      }
      default -> throw new TemplateFailed("cannot slice type " + TemplateValues.type(value));
    };
  }

  private static int[] bounds(List<Object> indexes, int length) {
    int[] bounds = {0, length, length};
    for (int i = 0; i < indexes.size(); i++) {
      bounds[i] = position(indexes.get(i), length);
    }
    if (bounds[0] > bounds[1] || (indexes.size() == 3 && bounds[1] > bounds[2])) {
      throw new TemplateFailed("invalid slice index: %d > %d".formatted(bounds[0], bounds[1]));
    }
    return bounds;
  }

  private static boolean isEqual(Object value, List<Object> others) {
    if (others.isEmpty()) {
      throw new TemplateFailed("missing argument for comparison");
    }
    if (value instanceof List<?> || value instanceof TemplateMap) {
      throw new TemplateFailed("uncomparable type " + TemplateValues.type(value));
    }
    for (Object other : others) {
      if (isSame(value, other)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSame(Object value, Object other) {
    Object one = comparable(value);
    Object two = comparable(other);
    boolean absent = one.equals(TemplateValues.NONE) || two.equals(TemplateValues.NONE);
    if (absent) {
      return TemplateValues.isAbsent(one) && TemplateValues.isAbsent(two);
    }
    if (!one.getClass().equals(two.getClass()) || one instanceof TemplateStruct) {
      throw new TemplateFailed("incompatible types for comparison");
    }
    return one.equals(two);
  }

  /** Numbers with a name are numbers, and texts are compared whatever they are made of. */
  private static Object comparable(Object value) {
    return switch (value) {
      case TemplateText text -> text.text();
      case TemplateEnum named -> named.number();
      case Short octet -> octet.longValue();
      default -> value;
    };
  }

  private static boolean isLess(List<Object> pair) {
    Object one = comparable(pair.getFirst());
    Object two = comparable(pair.getLast());
    if (one instanceof Long first && two instanceof Long second) {
      return first < second;
    }
    if (one instanceof Double first && two instanceof Double second) {
      return first < second;
    }
    if (one instanceof String first && two instanceof String second) {
      return Arrays.compareUnsigned(
              first.getBytes(StandardCharsets.UTF_8), second.getBytes(StandardCharsets.UTF_8))
          < 0;
    }
    throw new TemplateFailed("incompatible types for comparison");
  }

  private static boolean isLessOrEqual(List<Object> pair) {
    return isLess(pair) || isSame(pair.getFirst(), pair.getLast());
  }
}
