package dev.drydock.slingshot.deviceplugin.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The devices that the kubelet hands out. Exclusively, a device is a network interface. Shared,
 * each interface has as many units as pods may use it, and unit {@code i} belongs to interface
 * {@code i} modulo their number: neighbouring units are on different interfaces.
 *
 * @param capacity units of an interface that is shared
 * @param nics in the order of their numbers
 */
public record DeviceUnits(SharingMode mode, int capacity, List<OfferedNic> nics) {
  private static final String SHARED = "shared-";

  /** As they are written here, so that no two ids are the same unit. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,7}");

  /** By number, then by name; names without a number come last. */
  private static final Comparator<OfferedNic> BY_NUMBER =
      Comparator.comparingLong((OfferedNic nic) -> number(nic.name()))
          .thenComparing(OfferedNic::name);

  /** One device of the kubelet. */
  public record Unit(String id, OfferedNic nic) {}

  public DeviceUnits {
    nics = nics.stream().sorted(BY_NUMBER).toList();
  }

  private static long number(String name) {
    String digits = name.replaceFirst("^\\D*", "");
    return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : Long.MAX_VALUE;
  }

  /** Without interfaces there are none. */
  public List<Unit> all() {
    if (mode == SharingMode.exclusive) {
      return nics.stream().map(nic -> new Unit(nic.name(), nic)).toList();
    }
    int count = capacity * nics.size();
    List<Unit> units = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      units.add(new Unit(SHARED + i, nics.get(i % nics.size())));
    }
    return units;
  }

  /** The interface that a device is, or is a unit of. */
  public Optional<OfferedNic> nicOf(String id) {
    if (mode == SharingMode.exclusive) {
      return nics.stream().filter(nic -> nic.name().equals(id)).findFirst();
    }
    if (!id.startsWith(SHARED) || nics.isEmpty()) {
      return Optional.empty();
    }
    String number = id.substring(SHARED.length());
    if (!NUMBER.matcher(number).matches()) {
      return Optional.empty();
    }
    int unit = Integer.parseInt(number);
    return unit < capacity * nics.size()
        ? Optional.of(nics.get(unit % nics.size()))
        : Optional.empty();
  }
}
