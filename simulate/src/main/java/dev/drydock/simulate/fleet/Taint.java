package dev.drydock.simulate.fleet;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A taint in kubectl's syntax: {@code key=value:Effect}, or {@code key:Effect}. */
public record Taint(String key, String value, String effect) {
  private static final Pattern FORM =
      Pattern.compile("([^=:\\s]+)(?:=([^=:\\s]*))?:(NoSchedule|PreferNoSchedule|NoExecute)");

  public static Optional<Taint> parse(String text) {
    Matcher taint = FORM.matcher(text);
    return taint.matches()
        ? Optional.of(
            new Taint(taint.group(1), taint.group(2) == null ? "" : taint.group(2), taint.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
