package dev.drydock.maintenance.command;

/** How what was made is printed, as kubectl's users know it. */
public enum CreatedFormat {
  json,
  yaml,
  name
}
