package dev.drydock.slingshot.node.decide;

import java.util.Locale;
import java.util.OptionalInt;

/** Addresses of NICs on the fabric: 20 bits, of which the low ones number the NICs of a switch. */
public final class NicAddress {
  /** Bits 6 to 19, not shifted. */
  public static final int SWITCH_MASK = 0xfffc0;

  /** What the fabric gives to a NIC without an address. */
  private static final long NONE = 0xFFFF_FFFFL;

  private NicAddress() {}

  /**
   * Hexadecimal with {@code 0x}, or decimal; empty if it is neither, or says that there is none.
   */
  public static OptionalInt parse(String text) {
    try {
      String given = text.strip().toLowerCase(Locale.ROOT);
      long nid =
          given.startsWith("0x")
              ? Long.parseUnsignedLong(given.substring(2), 16)
              : Long.parseLong(given);
      return nid < 0 || nid >= NONE || nid > Integer.MAX_VALUE
          ? OptionalInt.empty()
          : OptionalInt.of((int) nid);
    } catch (NumberFormatException none) {
      return OptionalInt.empty();
    }
  }

  /**
   * The switch's part of an address.
   *
   * @param mask 0 for the usual one
   */
  public static int switchId(int nid, int mask) {
    return nid & (mask == 0 ? SWITCH_MASK : mask);
  }
}
