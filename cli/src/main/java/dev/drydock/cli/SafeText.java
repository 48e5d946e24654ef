package dev.drydock.cli;

/**
 * Makes text from elsewhere, such as names and messages of cluster objects, safe to print. Control
 * characters could move the cursor, hide text or forge lines, and bidirectional controls could
 * reorder it; each is shown as its code instead, e.g. {@code \}{@code u001b}.
 */
public final class SafeText {
  private SafeText() {}

  /** For text that must stay one line: also shows line breaks as their codes. */
  public static String line(String text) {
    return replaced(text, false);
  }

  /** For text of several lines: keeps line feeds and tabs. */
  public static String lines(String text) {
    return replaced(text, true);
  }

  private static String replaced(String text, boolean keepsLines) {
    int first = 0;
    while (first < text.length() && isSafe(text.charAt(first), keepsLines)) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (isSafe(letter, keepsLines)) {
        safe.append(letter);
      } else {
        safe.append(String.format("\\u%04x", (int) letter));
      }
    }
    return safe.toString();
  }

  private static boolean isSafe(char letter, boolean keepsLines) {
    if (letter == '\n' || letter == '\t') {
      return keepsLines;
    }
    return switch (Character.getType(letter)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
