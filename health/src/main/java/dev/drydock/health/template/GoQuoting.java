package dev.drydock.health.template;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Texts made safe for some place, as Go does. */
final class GoQuoting {
  private GoQuoting() {}

  /** Between Go's quotes. */
  static String escaped(String text, char quote, boolean ascii) {
    StringBuilder out = new StringBuilder();
    text.codePoints().forEach(c -> escape(out, c, quote, ascii));
    return out.toString();
  }

  private static void escape(StringBuilder out, int c, char quote, boolean ascii) {
    if (c == quote || c == '\\') {
      out.append('\\').appendCodePoint(c);
    } else if (c < 0x80 ? c >= ' ' && c < 0x7f : !ascii && isPrintable(c)) {
      out.appendCodePoint(c);
    } else {
      switch (c) {
        case 0x07 -> out.append("\\a");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case 0x0b -> out.append("\\v");
        default ->
            out.append(
                c < ' ' || c == 0x7f
                    ? "\\x%02x".formatted(c)
                    : c < 0x10000 ? "\\u%04x".formatted(c) : "\\U%08x".formatted(c));
      }
    }
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }

  static String html(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\u0000' -> out.append('\uFFFD');
        case '"' -> out.append("&#34;");
        case '\'' -> out.append("&#39;");
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  static String javaScript(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\\' -> out.append("\\\\");
                case '\'' -> out.append("\\'");
                case '"' -> out.append("\\\"");
                case '<', '>', '&', '=' -> out.append("\\u%04X".formatted(c));
                default -> {
                  if (c < ' ') {
                    out.append("\\u%04X".formatted(c));
                  } else if (c < 0x80 || isPrintable(c)) {
                    out.appendCodePoint(c);
                  } else {
                    out.append("\\u%04X".formatted(c));
                  }
                }
              }
            });
    return out.toString();
  }

  static String query(String text) {
    StringBuilder out = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      boolean kept = c < 0x80 && (Character.isLetterOrDigit(c) || "-_.~".indexOf(c) >= 0);
      if (kept) {
        out.append(c);
      } else if (c == ' ') {
        out.append('+');
      } else {
        out.append("%%%02x".formatted((int) c).toUpperCase(Locale.ROOT));
      }
    }
    return out.toString();
  }
}
