package dev.drydock.health.rules;

/** The rules cannot be used; the message says where and why, in one line. */
public final class RuleFileInvalid extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RuleFileInvalid(String line) {
    super(line);
  }
}
