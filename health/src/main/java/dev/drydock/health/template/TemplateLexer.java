package dev.drydock.health.template;

import dev.drydock.health.template.TemplateToken.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts a template into tokens. Spaces inside of actions are tokens: they separate arguments. */
final class TemplateLexer {
  private static final String LEFT = "{{";
  private static final String RIGHT = "}}";
  private static final String SPACES = " \t\r\n";
  private static final String COMMENT = "/*";
  private static final String COMMENT_END = "*/";

  private final String name;
  private final String input;
  private final List<TemplateToken> tokens = new ArrayList<>();
  private int at;
  private int line = 1;
  private int depth;

  private TemplateLexer(String name, String input) {
    this.name = name;
    this.input = input;
  }

  static List<TemplateToken> tokens(String name, String input) {
    TemplateLexer lexer = new TemplateLexer(name, input);
    lexer.text();
    return lexer.tokens;
  }

  private void text() {
    boolean trim = false;
    while (true) {
      int left = input.indexOf(LEFT, at);
      int end = left < 0 ? input.length() : left;
      boolean trimsBefore = left >= 0 && hasLeftTrim(left + LEFT.length());
      String text = input.substring(at, end);
      if (trim) {
        text = trimStart(text);
      }
      if (trimsBefore) {
        text = trimEnd(text);
      }
      if (!text.isEmpty()) {
        tokens.add(new TemplateToken(Kind.TEXT, text, line));
      }
      advance(end);
      if (left < 0) {
        tokens.add(new TemplateToken(Kind.END, "", line));
        return;
      }
      advance(left + LEFT.length() + (trimsBefore ? 2 : 0));
      trim = input.startsWith(COMMENT, at) ? comment() : action();
    }
  }

  private boolean hasLeftTrim(int from) {
    return input.startsWith("-", from)
        && from + 1 < input.length()
        && SPACES.indexOf(input.charAt(from + 1)) >= 0;
  }

  /** At a space before a trim marker and the end of the action. */
  private boolean hasRightTrim() {
    return at < input.length()
        && SPACES.indexOf(input.charAt(at)) >= 0
        && input.startsWith("-" + RIGHT, at + 1);
  }

  private static String trimEnd(String text) {
    int end = text.length();
    while (end > 0 && SPACES.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(0, end);
  }

  private static String trimStart(String text) {
    int start = 0;
    while (start < text.length() && SPACES.indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    return text.substring(start);
  }

  private void advance(int to) {
    while (at < to) {
      if (input.charAt(at) == '\n') {
        line++;
      }
      at++;
    }
  }

  private TemplateInvalid invalid(String what) {
    return new TemplateInvalid(name, line, what);
  }

  /** Whether the text after it is trimmed, as for an action. */
  private boolean comment() {
    int end = input.indexOf(COMMENT_END, at + COMMENT.length());
    if (end < 0) {
      throw invalid("unclosed comment");
    }
    advance(end + COMMENT_END.length());
    boolean trims = hasRightTrim();
    advance(at + (trims ? 2 : 0));
    if (!input.startsWith(RIGHT, at)) {
      throw invalid("comment ends before the action does");
    }
    advance(at + RIGHT.length());
    return trims;
  }

  private boolean action() {
    tokens.add(new TemplateToken(Kind.LEFT, LEFT, line));
    depth = 0;
    while (true) {
      boolean trims = hasRightTrim();
      if (trims || input.startsWith(RIGHT, at)) {
        if (depth > 0) {
          throw invalid("unclosed left paren");
        }
        tokens.add(new TemplateToken(Kind.RIGHT, RIGHT, line));
        advance(at + RIGHT.length() + (trims ? 2 : 0));
        return trims;
      }
      if (at >= input.length()) {
        throw invalid("unclosed action");
      }
      inside();
    }
  }

  private void inside() {
    char c = input.charAt(at);
    if (SPACES.indexOf(c) >= 0) {
      int end = at;
      while (end < input.length()
          && SPACES.indexOf(input.charAt(end)) >= 0
          && !input.startsWith("-" + RIGHT, end + 1)) {
        end++;
      }
      take(Kind.SPACE, end);
    } else if (input.startsWith(":=", at)) {
      take(Kind.DECLARE, at + 2);
    } else if (c == '"') {
      take(Kind.STRING, quoted('"'));
    } else if (c == '\'') {
      take(Kind.CHAR, quoted('\''));
    } else if (c == '`') {
      int end = input.indexOf('`', at + 1);
      if (end < 0) {
        throw invalid("unterminated raw quoted string");
      }
      take(Kind.RAW_STRING, end + 1);
    } else if (c == '$') {
      name(Kind.VARIABLE);
    } else if (c == '.' && !isDigit(at + 1)) {
      dot();
    } else if (c == '+' || c == '-' || c == '.' || isDigit(at)) {
      number();
    } else if (isLetter(at)) {
      name(Kind.WORD);
    } else {
      symbol(c);
    }
  }

  private void symbol(char c) {
    switch (c) {
      case '=' -> take(Kind.ASSIGN, at + 1);
      case '|' -> take(Kind.PIPE, at + 1);
      case ',' -> take(Kind.COMMA, at + 1);
      case '(' -> {
        depth++;
        take(Kind.OPEN, at + 1);
      }
      case ')' -> {
        depth--;
        if (depth < 0) {
          throw invalid("unexpected right paren");
        }
        take(Kind.CLOSE, at + 1);
      }
      default -> throw invalid("unexpected character " + shown(at));
    }
  }

  private String shown(int index) {
    return "\"" + Character.toString(input.codePointAt(index)) + "\"";
  }

  private void take(Kind kind, int end) {
    tokens.add(new TemplateToken(kind, input.substring(at, end), line));
    advance(end);
  }

  /** The index after the closing quote. */
  private int quoted(char quote) {
    int end = at + 1;
    while (end < input.length() && input.charAt(end) != '\n') {
      if (input.charAt(end) == quote) {
        return end + 1;
      }
      end += input.charAt(end) == '\\' ? 2 : 1;
    }
    throw invalid(quote == '"' ? "unterminated quoted string" : "unterminated character constant");
  }

  private void dot() {
    if (isLetter(at + 1)) {
      name(Kind.FIELD);
    } else {
      take(Kind.DOT, at + 1);
      terminated();
    }
  }

  /** A dot or dollar, or nothing, and letters and digits. */
  private void name(Kind kind) {
    int end = at + (kind == Kind.WORD ? 0 : 1);
    while (isLetter(end) || isDigit(end)) {
      end += Character.charCount(input.codePointAt(end));
    }
    take(kind, end);
    terminated();
  }

  private void terminated() {
    boolean ends =
        at >= input.length()
            || (SPACES + ".,|:)(").indexOf(input.charAt(at)) >= 0
            || input.startsWith(RIGHT, at);
    if (!ends) {
      throw invalid("unexpected character " + shown(at));
    }
  }

  private void number() {
    int end = at + 1;
    while (isLetter(end) || isDigit(end) || isPartOfNumber(end)) {
      end++;
    }
    take(Kind.NUMBER, end);
    terminated();
  }

  /** A point, or the sign of an exponent. */
  private boolean isPartOfNumber(int index) {
    if (index >= input.length()) {
      return false;
    }
    char c = input.charAt(index);
    boolean sign = (c == '+' || c == '-') && "eEpP".indexOf(input.charAt(index - 1)) >= 0;
    return c == '.' || sign;
  }

  private boolean isLetter(int index) {
    return index < input.length()
        && (input.charAt(index) == '_' || Character.isLetter(input.codePointAt(index)));
  }

  private boolean isDigit(int index) {
    return index < input.length() && Character.isDigit(input.codePointAt(index));
  }
}
