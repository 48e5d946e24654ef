package dev.drydock.cli;

/** The values of {@code -o}, spelled as kubectl spells them. */
public enum OutputFormat {
  json,
  yaml,
  wide
}
