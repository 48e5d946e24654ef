package dev.drydock.simulate.fleet;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A toleration: {@code key=value:Effect}, {@code key:Effect} for any value, {@code key} for any
 * value and effect, {@code *} for every taint.
 *
 * @param value absent for any
 * @param effect empty for any
 */
public record Toleration(String key, Optional<String> value, String effect) {
  public static final Toleration EVERYTHING = new Toleration("", Optional.empty(), "");

  private static final String ALL = "*";
  private static final Pattern FORM =
      Pattern.compile("([^=:\\s*]+)(?:=([^=:\\s]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?");

  public static Optional<Toleration> parse(String text) {
    if (text.equals(ALL)) {
      return Optional.of(EVERYTHING);
    }
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new Toleration(
                form.group(1),
                Optional.ofNullable(form.group(2)),
                form.group(3) == null ? "" : form.group(3)))
        : Optional.empty();
  }

  public static Toleration of(Taint taint) {
    return new Toleration(taint.key(), Optional.of(taint.value()), taint.effect());
  }

  public boolean tolerates(Taint taint) {
    return (key.isEmpty() || key.equals(taint.key()))
        && value.map(taint.value()::equals).orElse(true)
        && (effect.isEmpty() || effect.equals(taint.effect()));
  }

  @Override
  public String toString() {
    return (key.isEmpty() ? ALL : key)
        + value.map(text -> "=" + text).orElse("")
        + (effect.isEmpty() ? "" : ":" + effect);
  }
}
