package dev.drydock.health.template;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints values as Go's fmt does. What came from the data is kept apart in the result. */
final class GoFormat {
  private final TemplateText.Builder out = new TemplateText.Builder();
  private final String format;
  private final List<Object> arguments;
  private int at;
  private int used;
  private boolean reordered;

  /** What is between the percent sign and the verb. */
  private record Spec(
      boolean minus,
      boolean plus,
      boolean sharp,
      boolean space,
      boolean zero,
      int width,
      int precision) {
    static final Spec PLAIN = new Spec(false, false, false, false, false, -1, -1);

    Spec plain() {
      return new Spec(minus, plus, false, space, zero, width, precision);
    }
  }

  private GoFormat(String format, List<Object> arguments) {
    this.format = format;
    this.arguments = arguments;
  }

  /** As {@code fmt.Sprint}: a space between two of which neither is a string. */
  static TemplateText print(List<Object> values) {
    TemplateText.Builder text = new TemplateText.Builder();
    for (int i = 0; i < values.size(); i++) {
      boolean strings =
          i == 0
              || values.get(i) instanceof TemplateText
              || values.get(i - 1) instanceof TemplateText;
      text.add(strings ? "" : " ").add(plain(values.get(i)));
    }
    return text.build();
  }

  static TemplateText println(List<Object> values) {
    TemplateText.Builder text = new TemplateText.Builder();
    for (int i = 0; i < values.size(); i++) {
      text.add(i == 0 ? "" : " ").add(plain(values.get(i)));
    }
    return text.add("\n").build();
  }

  /** By {@code %v}. */
  static TemplateText plain(Object value) {
    return value(value, 'v', Spec.PLAIN);
  }

  /** As {@code fmt.Sprintf}. */
  static TemplateText printf(TemplateText format, List<Object> arguments) {
    GoFormat made = new GoFormat(format.text(), arguments);
    made.all(format);
    return made.out.build();
  }

  private void all(TemplateText whole) {
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      int end = percent < 0 ? format.length() : percent;
      out.add(whole.changed(format.substring(at, end)));
      at = end + 1;
      if (percent >= 0) {
        directive();
      }
    }
    if (!reordered && used < arguments.size()) {
      TemplateText.Builder extra = out.add("%!(EXTRA ");
      for (int i = used; i < arguments.size(); i++) {
        extra.add(i == used ? "" : ", ");
        Object each = arguments.get(i);
        if (each.equals(TemplateValues.NIL)) {
          extra.add("<nil>");
        } else {
          extra.add(TemplateValues.type(each) + "=").add(plain(each));
        }
      }
      extra.add(")");
    }
  }

  private void directive() {
    boolean minus = false;
    boolean plus = false;
    boolean sharp = false;
    boolean space = false;
    boolean zero = false;
    while (at < format.length() && "-+# 0".indexOf(format.charAt(at)) >= 0) {
      switch (format.charAt(at)) {
        case '-' -> minus = true;
        case '+' -> plus = true;
        case '#' -> sharp = true;
        case ' ' -> space = true;
        default -> zero = true;
      }
      at++;
    }
    if (at < format.length() && "*[".indexOf(format.charAt(at)) >= 0) {
      throw new TemplateFailed("printf: * and [ ] in a format are not supported");
    }
    int width = number();
    int precision = -1;
    if (at < format.length() && format.charAt(at) == '.') {
      at++;
      precision = Math.max(0, number());
    }
    if (at >= format.length()) {
      out.add("%!(NOVERB)");
      return;
    }
    int verb = format.codePointAt(at);
    at += Character.charCount(verb);
    if (verb == '%') {
      out.add("%");
    } else if (used >= arguments.size()) {
      out.add("%!" + Character.toString(verb) + "(MISSING)");
    } else {
      Spec spec = new Spec(minus, plus, sharp, space, zero && !minus, width, precision);
      out.add(value(arguments.get(used++), verb, spec));
    }
  }

  private int number() {
    int from = at;
    while (at < format.length() && Character.isDigit(format.charAt(at))) {
      at++;
    }
    if (at - from > 4) {
      throw new TemplateFailed("printf: a width or precision is too large");
    }
    return from == at ? -1 : Integer.parseInt(format.substring(from, at));
  }

  private static TemplateText value(Object value, int verb, Spec spec) {
    if (verb == 'T') {
      return padded(TemplateText.literal(TemplateValues.type(value)), spec);
    }
    if (verb == 'v' && spec.sharp()) {
      throw new TemplateFailed("printf: %#v is not supported");
    }
    return switch (value) {
      case TemplateText text -> text(text, verb, spec);
      case Long number -> integer(number, verb, spec, "int");
      case Short octet -> integer(octet, verb, spec, "uint8");
      case TemplateEnum named -> named(named, verb, spec);
      case Double number -> floating(number, verb, spec);
      case Boolean flag -> bool(flag, verb, spec);
      case List<?> list -> list(list, verb, spec);
      case TemplateMap map -> map(map, verb, spec);
      case TemplateStruct struct ->
          throw new TemplateFailed(
              "%s is a structure; print one of its fields".formatted(struct.typeName()));
      default -> absent(value, verb, spec);
    };
  }

  private static TemplateText absent(Object value, int verb, Spec spec) {
    return verb == 'v'
        ? padded(TemplateText.literal(value.toString()), spec)
        : TemplateText.literal("%!" + Character.toString(verb) + "(<nil>)");
  }

  private static TemplateText bad(Object value, int verb, Spec spec) {
    return new TemplateText.Builder()
        .add("%!" + Character.toString(verb) + "(" + TemplateValues.type(value) + "=")
        .add(value(value, 'v', spec.plain()))
        .add(")")
        .build();
  }

  private static TemplateText padded(TemplateText text, Spec spec) {
    String whole = text.text();
    int missing = spec.width() - whole.codePointCount(0, whole.length());
    if (missing <= 0) {
      return text;
    }
    String pad = (spec.zero() ? "0" : " ").repeat(missing);
    TemplateText.Builder built = new TemplateText.Builder();
    return (spec.minus() ? built.add(text).add(pad) : built.add(pad).add(text)).build();
  }

  private static TemplateText named(TemplateEnum named, int verb, Spec spec) {
    return switch (verb) {
      case 'v', 's', 'q', 'x', 'X' -> text(TemplateText.data(named.name()), verb, spec);
      default -> integer(named.number(), verb, spec, "int32");
    };
  }

  private static TemplateText text(TemplateText text, int verb, Spec spec) {
    TemplateText cut = cut(text, spec.precision());
    return switch (verb) {
      case 'v', 's' -> padded(cut, spec);
      case 'q' -> padded(quoted(cut, spec), spec);
      case 'x', 'X' -> padded(hex(text, verb, spec), spec);
      default -> bad(text, verb, spec);
    };
  }

  private static TemplateText cut(TemplateText text, int precision) {
    String whole = text.text();
    return precision < 0 || whole.codePointCount(0, whole.length()) <= precision
        ? text
        : text.changed(whole.substring(0, whole.offsetByCodePoints(0, precision)));
  }

  private static TemplateText quoted(TemplateText text, Spec spec) {
    String whole = text.text();
    boolean raw = spec.sharp() && whole.indexOf('`') < 0 && whole.chars().allMatch(c -> c >= ' ');
    String quote = raw ? "`" : "\"";
    String inner = raw ? whole : GoQuoting.escaped(whole, '"', spec.plus());
    TemplateText body =
        text.hasData() ? TemplateText.escaped(inner, whole) : TemplateText.literal(inner);
    return new TemplateText.Builder().add(quote).add(body).add(quote).build();
  }

  private static TemplateText hex(TemplateText text, int verb, Spec spec) {
    byte[] bytes = text.text().getBytes(StandardCharsets.UTF_8);
    int count = spec.precision() < 0 ? bytes.length : Math.min(bytes.length, spec.precision());
    StringBuilder digits = new StringBuilder();
    String prefix = spec.sharp() ? "0" + Character.toString(verb) : "";
    for (int i = 0; i < count; i++) {
      boolean starts = i == 0 || spec.space();
      digits.append(spec.space() && i > 0 ? " " : "").append(starts ? prefix : "");
      digits.append("%02x".formatted(bytes[i]));
    }
    String all = digits.toString();
    return text.changed(verb == 'X' ? all.toUpperCase(Locale.ROOT) : all);
  }

  private static TemplateText bool(boolean flag, int verb, Spec spec) {
    return verb == 'v' || verb == 't'
        ? padded(TemplateText.literal(Boolean.toString(flag)), noZero(spec))
        : bad(flag, verb, spec);
  }

  private static Spec noZero(Spec spec) {
    return new Spec(spec.minus(), spec.plus(), spec.sharp(), spec.space(), false, spec.width(), -1);
  }

  private static TemplateText integer(long number, int verb, Spec spec, String type) {
    return switch (verb) {
      case 'v', 'd' -> digits(number, 10, "", spec);
      case 'b' -> digits(number, 2, spec.sharp() ? "0b" : "", spec);
      case 'o' -> digits(number, 8, spec.sharp() ? "0" : "", spec);
      case 'O' -> digits(number, 8, "0o", spec);
      case 'x' -> digits(number, 16, spec.sharp() ? "0x" : "", spec);
      case 'X' ->
          TemplateText.literal(
              digits(number, 16, spec.sharp() ? "0X" : "", spec).text().toUpperCase(Locale.ROOT));
      case 'c' -> padded(TemplateText.literal(character(number)), noZero(spec));
      case 'q' ->
          padded(
              TemplateText.literal("'" + GoQuoting.escaped(character(number), '\'', false) + "'"),
              noZero(spec));
      case 'U' -> padded(TemplateText.literal("U+" + "%04X".formatted(number)), noZero(spec));
      default ->
          TemplateText.literal(
              "%!"
                  + Character.toString(verb)
                  + "("
                  + type
                  + "="
                  + digits(number, 10, "", spec).text()
                  + ")");
    };
  }

  private static String character(long code) {
    boolean valid =
        code >= 0 && code <= Character.MAX_CODE_POINT && (code < 0xD800 || code > 0xDFFF);
    return valid ? Character.toString((int) code) : "\uFFFD";
  }

  private static TemplateText digits(long number, int radix, String prefix, Spec spec) {
    String sign = number < 0 ? "-" : spec.plus() ? "+" : spec.space() ? " " : "";
    String digits = Long.toString(number, radix).replace("-", "");
    if (spec.precision() == 0 && number == 0) {
      return padded(TemplateText.EMPTY, noZero(spec));
    }
    int least = spec.precision();
    if (spec.precision() < 0 && spec.zero() && spec.width() >= 0) {
      least = spec.width() - sign.length();
    }
    String zeros = "0".repeat(Math.max(0, least - digits.length()));
    boolean octal = radix == 8 && prefix.equals("0") && (zeros + digits).startsWith("0");
    return padded(
        TemplateText.literal(sign + (octal ? "" : prefix) + zeros + digits), noZero(spec));
  }

  private static TemplateText floating(double number, int verb, Spec spec) {
    String digits =
        switch (verb) {
          case 'v', 'g', 'G' -> general(number, spec.precision());
          case 'e', 'E' -> exponent(number, spec.precision() < 0 ? 6 : spec.precision());
          case 'f', 'F' ->
              new BigDecimal(number)
                  .setScale(spec.precision() < 0 ? 6 : spec.precision(), RoundingMode.HALF_EVEN)
                  .toPlainString();
          default -> "";
        };
    if ("xXb".indexOf(verb) >= 0 || spec.sharp()) {
      throw new TemplateFailed("printf: this format of a fraction is not supported");
    }
    if (digits.isEmpty()) {
      return bad(number, verb, spec);
    }
    boolean negative = number < 0 || (number == 0 && 1 / number < 0);
    if (negative && !digits.startsWith("-")) {
      digits = "-" + digits;
    }
    String sign = digits.startsWith("-") ? "" : spec.plus() ? "+" : spec.space() ? " " : "";
    String text = sign + (verb == 'E' || verb == 'G' ? digits.toUpperCase(Locale.ROOT) : digits);
    if (spec.zero() && text.length() < spec.width()) {
      boolean signed = "+- ".indexOf(text.charAt(0)) >= 0;
      String zeros = "0".repeat(spec.width() - text.length());
      text = signed ? text.charAt(0) + zeros + text.substring(1) : zeros + text;
    }
    return padded(TemplateText.literal(text), noZero(spec));
  }

  /** The shortest digits that tell the number from all others, or as many as asked for. */
  private static String general(double number, int precision) {
    if (number == 0) {
      return "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(number))).stripTrailingZeros();
    int digits = precision < 0 ? shortest.precision() : Math.max(1, precision);
    BigDecimal rounded =
        precision < 0
            ? shortest
            : new BigDecimal(Math.abs(number))
                .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    int limit = precision < 0 ? 6 : digits;
    if (precision >= 0 && digits > rounded.precision() && rounded.precision() > exponent) {
      limit = rounded.precision();
    }
    String sign = number < 0 ? "-" : "";
    return sign
        + (exponent < -4 || exponent >= limit
            ? exponent(rounded.doubleValue(), rounded.precision() - 1)
            : rounded.toPlainString());
  }

  private static String exponent(double number, int precision) {
    return ("%." + precision + "e").formatted(number);
  }

  private static TemplateText list(List<?> list, int verb, Spec spec) {
    TemplateText.Builder text = new TemplateText.Builder().add("[");
    for (int i = 0; i < list.size(); i++) {
      text.add(i == 0 ? "" : " ").add(value(TemplateValues.of(list.get(i)), verb, spec));
    }
    return text.add("]").build();
  }

  private static TemplateText map(TemplateMap map, int verb, Spec spec) {
    List<TemplateText> parts = new ArrayList<>();
    for (Map.Entry<String, ?> entry : map.entries().entrySet()) {
      parts.add(
          new TemplateText.Builder()
              .add(value(TemplateText.data(entry.getKey()), verb, spec))
              .add(":")
              .add(value(TemplateValues.of(entry.getValue()), verb, spec))
              .build());
    }
    TemplateText.Builder text = new TemplateText.Builder().add("map[");
    for (int i = 0; i < parts.size(); i++) {
      text.add(i == 0 ? "" : " ").add(parts.get(i));
    }
    return text.add("]").build();
  }
}
