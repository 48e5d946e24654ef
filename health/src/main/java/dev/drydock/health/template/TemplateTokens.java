package dev.drydock.health.template;

import dev.drydock.health.template.TemplateToken.Kind;
import java.util.List;

/** The tokens of a template, one after the other. */
final class TemplateTokens {
  private final String name;
  private final List<TemplateToken> tokens;
  private int at;

  TemplateTokens(String name, String text) {
    this.name = name;
    tokens = TemplateLexer.tokens(name, text);
  }

  TemplateToken peek() {
    return tokens.get(at);
  }

  /** The last one again at the end. */
  TemplateToken next() {
    TemplateToken token = tokens.get(at);
    if (!token.is(Kind.END)) {
      at++;
    }
    return token;
  }

  void advance() {
    at++;
  }

  void skipSpace() {
    if (peek().is(Kind.SPACE)) {
      at++;
    }
  }

  int mark() {
    return at;
  }

  void reset(int mark) {
    at = mark;
  }

  TemplateInvalid unexpected(TemplateToken token, String where) {
    return new TemplateInvalid(
        name, token.line(), "unexpected %s in %s".formatted(token.shown(), where));
  }

  /** The end of an action. */
  void close(String where) {
    skipSpace();
    TemplateToken token = next();
    if (!token.is(Kind.RIGHT)) {
      throw unexpected(token, where);
    }
  }

  Object number(TemplateToken token) {
    return GoConstants.number(token.text())
        .orElseThrow(() -> new TemplateInvalid(name, token.line(), "bad number " + token.shown()));
  }

  Object character(TemplateToken token) {
    return GoConstants.unquoted(token.text(), '\'')
        .filter(text -> text.codePointCount(0, text.length()) == 1)
        .map(text -> (long) text.codePointAt(0))
        .orElseThrow(
            () -> new TemplateInvalid(name, token.line(), "malformed character " + token.shown()));
  }

  String text(TemplateToken token) {
    if (token.is(Kind.RAW_STRING)) {
      return token.text().substring(1, token.text().length() - 1).replace("\r", "");
    }
    return GoConstants.unquoted(token.text(), '"')
        .orElseThrow(
            () -> new TemplateInvalid(name, token.line(), "malformed string " + token.shown()));
  }
}
