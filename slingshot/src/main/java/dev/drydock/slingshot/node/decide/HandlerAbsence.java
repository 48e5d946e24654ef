package dev.drydock.slingshot.node.decide;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a NIC has no retry handler.
 *
 * @param reason of a condition
 * @param message for people, in one line
 */
public record HandlerAbsence(String reason, String message) {
  private static final Pattern LINE = Pattern.compile("([A-Z][A-Za-z]{0,63}): (.*)");

  /** As it is written in a line. */
  public static HandlerAbsence parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? new HandlerAbsence(matcher.group(1), matcher.group(2))
        : new HandlerAbsence("NotRunning", line);
  }

  public String line() {
    return reason + ": " + message;
  }
}
