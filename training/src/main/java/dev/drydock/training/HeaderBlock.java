package dev.drydock.training;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The two fields of an HTTP/2 request that say what is asked. Nothing is remembered between
 * requests, since the server allows no dynamic table; characters that no path of ours has are not
 * decoded.
 */
record HeaderBlock(String method, String path) {
  // Indexes into the static table of RFC 7541.
  private static final int METHOD_GET = 2;
  private static final int METHOD_POST = 3;
  private static final int PATH_ROOT = 4;
  private static final int PATH_INDEX = 5;

  /** Characters by the length of their Huffman code; those of one length are numbered in order. */
  private static final String[] BY_LENGTH = new String[11];

  private static final int[] FIRST_CODE = {0, 0, 0, 0, 0, 0, 0x14, 0x5c, 0xf8, 0, 0x3f8};

  static {
    BY_LENGTH[5] = "012aceiost";
    BY_LENGTH[6] = " %-./3456789=A_bdfghlmnpru";
    BY_LENGTH[7] = ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz";
    BY_LENGTH[8] = "&*,;XZ";
    BY_LENGTH[10] = "!\"()?";
  }

  static HeaderBlock read(ByteBuffer block) {
    String method = "";
    String path = "";
    while (block.hasRemaining()) {
      int first = block.get() & 0xff;
      boolean indexed = (first & 0x80) != 0;
      if (!indexed && (first & 0xe0) == 0x20) { // the size of a table that stays empty
        int _ = number(block, first, 5);
        continue;
      }
      int prefix = indexed ? 7 : (first & 0x40) != 0 ? 6 : 4;
      int name = number(block, first, prefix);
      if (!indexed && name == 0) {
        String _ = text(block);
      }
      String value = indexed ? known(name) : text(block);
      switch (name) {
        case METHOD_GET, METHOD_POST -> method = value;
        case PATH_ROOT, PATH_INDEX -> path = value;
        default -> {} // says nothing about what is asked
      }
    }
    return new HeaderBlock(method, path);
  }

  private static String known(int index) {
    return switch (index) {
      case METHOD_GET -> "GET";
      case METHOD_POST -> "POST";
      case PATH_ROOT -> "/";
      default -> "";
    };
  }

  private static int number(ByteBuffer from, int first, int bits) {
    int limit = (1 << bits) - 1;
    int value = first & limit;
    if (value < limit) {
      return value;
    }
    int shift = 0;
    int next;
    do {
      next = from.get() & 0xff;
      value += (next & 0x7f) << shift;
      shift += 7;
    } while ((next & 0x80) != 0);
    return value;
  }

  private static String text(ByteBuffer from) {
    int first = from.get() & 0xff;
    byte[] bytes = new byte[number(from, first, 7)];
    from.get(bytes);
    return (first & 0x80) == 0 ? new String(bytes, StandardCharsets.ISO_8859_1) : decoded(bytes);
  }

  private static String decoded(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int code = 0;
    int length = 0;
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      code = (code << 1) | ((bytes[bit / 8] >> (7 - bit % 8)) & 1);
      length++;
      String characters = length < BY_LENGTH.length ? BY_LENGTH[length] : null;
      int place = characters == null ? -1 : code - FIRST_CODE[length];
      if (characters != null && place >= 0 && place < characters.length()) {
        text.append(characters.charAt(place));
        code = 0;
        length = 0;
      }
    }
    return text.toString();
  }
}
