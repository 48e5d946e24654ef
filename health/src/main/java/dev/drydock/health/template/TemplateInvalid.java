package dev.drydock.health.template;

/** The template cannot be parsed; the message says where and why, in one line. */
public final class TemplateInvalid extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TemplateInvalid(String name, int line, String what) {
    super("template %s, line %d: %s".formatted(name, line, what));
  }
}
