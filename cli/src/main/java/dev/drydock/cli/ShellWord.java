package dev.drydock.cli;

import java.util.regex.Pattern;

/** Words of a command line that is shown to be copied into a shell. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[\\w./=,:@%+-]+");

  private ShellWord() {}

  /** The text, quoted if a shell would not take it as one word. */
  public static String of(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
