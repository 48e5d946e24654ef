package dev.drydock.health.drainer.decide;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A pattern of Go's {@code filepath.Match}, for names without a slash. */
public final class NamePattern {
  private final String text;
  private final Pattern pattern;

  private NamePattern(String text, Pattern pattern) {
    this.text = text;
    this.pattern = pattern;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static NamePattern of(String text) {
    return new NamePattern(text, Pattern.compile(new Reader(text).regex(), Pattern.DOTALL));
  }

  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamePattern same && same.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /** Translates into a regular expression. */
  private static final class Reader {
    private final String text;
    private final StringBuilder regex = new StringBuilder();
    private int at;

    Reader(String text) {
      this.text = text;
    }

    String regex() {
      while (at < text.length()) {
        char c = text.charAt(at);
        switch (c) {
          case '*' -> {
            regex.append(".*");
            at++;
          }
          case '?' -> {
            regex.append('.');
            at++;
          }
          case '[' -> characters();
          default -> regex.append(quoted(character(c == '\\')));
        }
      }
      return regex.toString();
    }

    private void characters() {
      at++;
      regex.append('[');
      if (at < text.length() && text.charAt(at) == '^') {
        regex.append('^');
        at++;
      }
      int ranges = 0;
      while (at < text.length() && (text.charAt(at) != ']' || ranges == 0)) {
        char low = member();
        char high = low;
        if (at < text.length() && text.charAt(at) == '-') {
          at++;
          high = member();
        }
        if (low > high) {
          throw malformed();
        }
        regex.append(quoted(low)).append('-').append(quoted(high));
        ranges++;
      }
      if (at >= text.length()) {
        throw malformed();
      }
      regex.append(']');
      at++;
    }

    private char member() {
      if (at >= text.length() || text.charAt(at) == '-' || text.charAt(at) == ']') {
        throw malformed();
      }
      return character(text.charAt(at) == '\\');
    }

    private char character(boolean escaped) {
      at += escaped ? 1 : 0;
      if (at >= text.length()) {
        throw malformed();
      }
      return text.charAt(at++);
    }

    private static String quoted(char c) {
      return Character.isLetterOrDigit(c) ? String.valueOf(c) : "\\" + c;
    }

    private IllegalArgumentException malformed() {
      return new IllegalArgumentException("\"%s\" is not a valid pattern".formatted(text));
    }
  }
}
