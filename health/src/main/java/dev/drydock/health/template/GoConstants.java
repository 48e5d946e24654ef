package dev.drydock.health.template;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** Constants as Go writes them. */
final class GoConstants {
  private static final Pattern DECIMAL = Pattern.compile("[+-]?(0|[1-9](_?[0-9])*)");
  private static final Pattern OCTAL = Pattern.compile("[+-]?0[oO]?(_?[0-7])+");
  private static final Pattern HEX = Pattern.compile("[+-]?0[xX](_?[0-9a-fA-F])+");
  private static final Pattern BINARY = Pattern.compile("[+-]?0[bB](_?[01])+");
  private static final Pattern FLOAT =
      Pattern.compile(
          "[+-]?([0-9](_?[0-9])*\\.?([0-9](_?[0-9])*)?|\\.[0-9](_?[0-9])*)([eE][+-]?[0-9]+)?");

  private GoConstants() {}

  /** A Long or a Double. */
  static Optional<Object> number(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return integer(text, "", 10);
    }
    if (HEX.matcher(text).matches()) {
      return integer(text, "0[xX]", 16);
    }
    if (BINARY.matcher(text).matches()) {
      return integer(text, "0[bB]", 2);
    }
    if (OCTAL.matcher(text).matches()) {
      return integer(text, "0[oO]?", 8);
    }
    return FLOAT.matcher(text).matches()
        ? Optional.of(Double.parseDouble(text.replace("_", "")))
            .filter(number -> !number.isInfinite() && isFraction(text))
            .map(number -> number)
        : Optional.empty();
  }

  /** Digits alone, such as 09, are no fraction. */
  private static boolean isFraction(String text) {
    return text.matches(".*[.eE].*");
  }

  private static Optional<Object> integer(String text, String prefix, int radix) {
    String digits = text.replace("_", "").replaceFirst("^([+-]?)" + prefix, "$1");
    try {
      return Optional.of(Long.parseLong(digits, radix));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  /** The text between quotes, with its escapes resolved; empty if it is malformed. */
  static Optional<String> unquoted(String quoted, char quote) {
    StringBuilder text = new StringBuilder();
    int at = 1;
    int end = quoted.length() - 1;
    while (at < end) {
      char c = quoted.charAt(at);
      if (c != '\\') {
        text.append(c);
        at++;
        continue;
      }
      if (at + 1 >= end) {
        return Optional.empty();
      }
      char kind = quoted.charAt(at + 1);
      int digits = digits(kind);
      if (digits > 0) {
        int from = at + (digits == 3 ? 1 : 2);
        if (from + digits > end) {
          return Optional.empty();
        }
        Optional<String> code = code(quoted.substring(from, from + digits), digits);
        if (code.isEmpty()) {
          return Optional.empty();
        }
        text.append(code.get());
        at = from + digits;
      } else {
        Optional<Character> plain = plain(kind, quote);
        if (plain.isEmpty()) {
          return Optional.empty();
        }
        text.append(plain.get().charValue());
        at += 2;
      }
    }
    return Optional.of(text.toString());
  }

  private static int digits(char kind) {
    return switch (kind) {
      case 'x' -> 2;
      case '0', '1', '2', '3', '4', '5', '6', '7' -> 3;
      case 'u' -> 4;
      case 'U' -> 8;
      default -> 0;
    };
  }

  private static Optional<String> code(String digits, int count) {
    try {
      int code = Integer.parseUnsignedInt(digits, count == 3 ? 8 : 16);
      if (count == 3 && code > 255) {
        return Optional.empty();
      }
      if (count < 4) { // a byte
        return Optional.of(new String(new byte[] {(byte) code}, StandardCharsets.UTF_8));
      }
      boolean valid = Character.isValidCodePoint(code) && (code < 0xD800 || code > 0xDFFF);
      return valid ? Optional.of(Character.toString(code)) : Optional.empty();
    } catch (NumberFormatException malformed) {
      return Optional.empty();
    }
  }

  private static Optional<Character> plain(char kind, char quote) {
    return switch (kind) {
      case 'a' -> Optional.of('\u0007');
      case 'b' -> Optional.of('\b');
      case 'f' -> Optional.of('\f');
      case 'n' -> Optional.of('\n');
      case 'r' -> Optional.of('\r');
      case 't' -> Optional.of('\t');
      case 'v' -> Optional.of('\u000b');
      case '\\' -> Optional.of('\\');
      default -> kind == quote ? Optional.of(kind) : Optional.empty();
    };
  }
}
