package dev.drydock.sim.kubelet;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Allocates addresses of a private range, skipping those in use. */
final class Addresses {
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  private final int base;
  private final int size;
  private final AtomicInteger last = new AtomicInteger();

  private Addresses(int base, int size) {
    this.base = base;
    this.size = size;
  }

  /** 172.16.0.0/12 */
  static Addresses ofNodes() {
    return new Addresses(172 << 24 | 16 << 16, 1 << 20);
  }

  /** 10.128.0.0/9 */
  static Addresses ofPods() {
    return new Addresses(10 << 24 | 128 << 16, 1 << 23);
  }

  String next() {
    int address = base + last.updateAndGet(offset -> (offset + 1) % size);
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 0xff, address >>> 8 & 0xff, address & 0xff);
  }

  /** Marks an object's address as used; ignores addresses outside the range. */
  void used(@Nullable String address) {
    if (address == null || !IPV4.matcher(address).matches()) {
      return;
    }
    int value = 0;
    for (String part : address.split("\\.", -1)) {
      value = value << 8 | Integer.parseInt(part);
    }
    int offset = value - base;
    if (offset > 0 && offset < size) {
      last.accumulateAndGet(offset, Math::max);
    }
  }
}
