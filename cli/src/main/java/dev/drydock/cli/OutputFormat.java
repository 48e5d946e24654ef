package dev.drydock.cli;

/** The values of {@code -o}, as in kubectl. */
public enum OutputFormat {
  json,
  yaml,
  wide
}
