package dev.drydock.health.template;

/** A piece of a template. */
record TemplateToken(Kind kind, String text, int line) {
  /** What it is. */
  enum Kind {
    TEXT,
    LEFT,
    RIGHT,
    SPACE,
    WORD,
    FIELD,
    VARIABLE,
    DOT,
    NUMBER,
    CHAR,
    STRING,
    RAW_STRING,
    PIPE,
    DECLARE,
    ASSIGN,
    COMMA,
    OPEN,
    CLOSE,
    END
  }

  boolean is(Kind other) {
    return kind == other;
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  /** For people. */
  String shown() {
    return kind == Kind.END ? "end of the template" : "\"" + text + "\"";
  }
}
