package dev.drydock.contracts;

import java.nio.charset.StandardCharsets;

/** Texts for people, of bounded length: they contain names and messages that others choose. */
public final class ShortText {
  private static final String MARK = "...";

  private ShortText() {}

  /** The text, at most so long; one that is cut ends with three dots. */
  public static String of(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - MARK.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
        + MARK;
  }

  /** The beginning of a text, at most so many bytes long, without half a character at its end. */
  public static String bytes(String text, int most) {
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    int end = Math.clamp(most, 0, all.length);
    while (end > 0 && end < all.length && (all[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(all, 0, end, StandardCharsets.UTF_8);
  }
}
