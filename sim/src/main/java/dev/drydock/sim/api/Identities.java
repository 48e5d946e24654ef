package dev.drydock.sim.api;

import java.util.Random;
import java.util.UUID;

/** Generates names and UIDs: the same ones in every run with the same seed. */
public final class Identities {
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int SUFFIX = 5;

  /** The length of a name that the server makes. */
  private static final int LONGEST_MADE = 63;

  private final Random random;

  public Identities(long seed) {
    random = new Random(seed);
  }

  String uid() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }

  /** A name with this beginning, which is cut: made names are as short as labels. */
  String name(String generateName) {
    int room = LONGEST_MADE - SUFFIX;
    return generateName.substring(0, Math.min(generateName.length(), room)) + suffix();
  }

  private String suffix() {
    StringBuilder suffix = new StringBuilder();
    for (int i = 0; i < SUFFIX; i++) {
      suffix.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return suffix.toString();
  }
}
