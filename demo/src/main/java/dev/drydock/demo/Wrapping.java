package dev.drydock.demo;

import java.util.ArrayList;
import java.util.List;

/** Wraps text at spaces: a word longer than a line stays whole. */
final class Wrapping {
  private static final int NARROWEST = 20;

  private Wrapping() {}

  /**
   * @param indent before every line but the first
   */
  static List<String> of(String text, int columns, String indent) {
    int most = Math.max(columns, NARROWEST);
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > most) {
      int begin = rest.length() - rest.stripLeading().length();
      int at = rest.lastIndexOf(' ', most);
      if (at <= begin) {
        at = rest.indexOf(' ', Math.max(begin, most));
      }
      if (at < 0) {
        break;
      }
      lines.add(rest.substring(0, at).stripTrailing());
      rest = indent + rest.substring(at).stripLeading();
    }
    lines.add(rest);
    return lines;
  }
}
