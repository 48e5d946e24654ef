package dev.drydock.slingshot.node.decide;

import dev.drydock.contracts.cxi.CXIDeviceStatus.FunctionType;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A CXI network interface as the kernel shows it. Whatever cannot be read is unknown.
 *
 * @param name e.g. {@code cxi0}
 * @param pciAddress e.g. {@code 0000:41:00.0}; empty if unknown
 * @param pciId vendor and device, e.g. {@code 1590:0371}; empty if unknown
 * @param numaNode -1 if unknown
 * @param nid its address on the fabric
 * @param megabits of the link per second
 * @param cassiniVersion e.g. {@code 2.0}; empty if unknown
 * @param driverRevision the commit that the driver was built from; empty if unknown
 * @param firmware empty if unknown
 * @param mac of its Ethernet interface; empty if it has none
 * @param deviceFile whether {@code /dev/cxiN} exists
 */
public record CxiNic(
    String name,
    String pciAddress,
    String pciId,
    FunctionType type,
    int numaNode,
    OptionalInt nid,
    LinkState link,
    OptionalInt megabits,
    String cassiniVersion,
    String driverRevision,
    String firmware,
    String mac,
    boolean deviceFile,
    ErrorCounters errors) {
  /**
   * The names that the kernel gives to NICs. They have no hyphen, so that the CXIDevice {@code
   * NODE-NIC} of one node never has the name of another node's.
   */
  public static final Pattern NAME = Pattern.compile("cxi(\\d{1,6})");

  /**
   * What the kernel has counted since the module was loaded.
   *
   * @param linkRestarts when the link came back, as far as the kernel remembers, in its own words
   */
  public record ErrorCounters(
      OptionalLong pcieCorrectable, OptionalLong pcieUncorrectable, List<String> linkRestarts) {}

  /** {@code cxi12} has 12; -1 if the name is none of a NIC. */
  public int number() {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  public boolean isUp() {
    return link == LinkState.up;
  }

  /** 1, 2 or 3; empty if unknown. */
  public OptionalInt generation() {
    return cassiniVersion.matches("[123](\\..*)?")
        ? OptionalInt.of(cassiniVersion.charAt(0) - '0')
        : OptionalInt.empty();
  }

  /** As in {@code 200Gbps}; empty if unknown or without a link. */
  public Optional<String> speed() {
    if (megabits.isEmpty() || megabits.getAsInt() <= 0) {
      return Optional.empty();
    }
    int speed = megabits.getAsInt();
    return Optional.of(speed % 1000 == 0 ? speed / 1000 + "Gbps" : speed + "Mbps");
  }

  /** The switch that it is connected to. */
  public OptionalInt switchId(int mask) {
    return nid.isPresent()
        ? OptionalInt.of(NicAddress.switchId(nid.getAsInt(), mask))
        : OptionalInt.empty();
  }
}
