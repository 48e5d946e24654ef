package dev.drydock.maintenance.command;

/** Output formats for created objects, as in kubectl. */
public enum CreatedFormat {
  json,
  yaml,
  name
}
