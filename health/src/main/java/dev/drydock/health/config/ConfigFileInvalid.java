package dev.drydock.health.config;

/** A configuration file cannot be used; the message says where and why, in one line. */
public final class ConfigFileInvalid extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public ConfigFileInvalid(String line) {
    super(line);
  }
}
