package dev.drydock.health.template;

/** The template cannot be executed with its data; the message says where and why, in one line. */
public final class TemplateFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TemplateFailed(String what) {
    super(what);
  }

  /** A copy that names the place in the template, unless this one does. */
  TemplateFailed at(String name, int line) {
    String message = String.valueOf(getMessage());
    return message.startsWith("template ")
        ? this
        : new TemplateFailed("template %s, line %d: %s".formatted(name, line, message));
  }
}
