package dev.drydock.slingshot.node;

import dev.drydock.contracts.cxi.CXIDeviceStatus.FunctionType;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.NicAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads the CXI devices of a node from sysfs. A node without the driver has none. */
public final class CxiSysfs {
  private static final String VIRTUAL_FUNCTION = "1590:0372";
  private static final Comparator<CxiNic> BY_NUMBER =
      Comparator.comparingInt(CxiNic::number).thenComparing(CxiNic::name);

  private final HostRoots roots;

  public CxiSysfs(HostRoots roots) {
    this.roots = roots;
  }

  /** {@code /sys/class/cxi}, which need not exist. Changes in it cause no reliable notice. */
  public Path folder() {
    return roots.sys().resolve("class/cxi");
  }

  /** All NICs, in the order of their numbers. */
  public List<CxiNic> nics() {
    return names().stream().map(this::read).sorted(BY_NUMBER).toList();
  }

  /** The names of all NICs, in no order. */
  public List<String> names() {
    return HostPaths.children(folder()).stream()
        .filter(entry -> Files.isDirectory(entry) || Files.isSymbolicLink(entry))
        .map(HostPaths::name)
        .filter(name -> CxiNic.NAME.matcher(name).matches())
        .toList();
  }

  private CxiNic read(String name) {
    Path device = folder().resolve(name).resolve("device");
    Path properties = device.resolve("properties");
    String pciId = pciId(device);
    return new CxiNic(
        name,
        pciAddress(device),
        pciId,
        pciId.equals(VIRTUAL_FUNCTION) || Files.exists(device.resolve("physfn"))
            ? FunctionType.vf
            : FunctionType.pf,
        integer(device.resolve("numa_node")).orElse(-1),
        HostFile.text(properties.resolve("nid"))
            .map(NicAddress::parse)
            .orElseGet(OptionalInt::empty),
        link(HostFile.text(properties.resolve("link")).orElse("")),
        integer(properties.resolve("speed")),
        HostFile.text(properties.resolve("cassini_version")).orElse(""),
        HostFile.text(properties.resolve("driver_rev")).orElse(""),
        HostFile.text(device.resolve("uc/version")).orElse(""),
        mac(device),
        Files.exists(roots.device(name)),
        new CxiNic.ErrorCounters(
            HostFile.number(properties.resolve("pcie_corr_err")),
            HostFile.number(properties.resolve("pcie_uncorr_err")),
            linkRestarts(device.resolve("link_restarts"))));
  }

  private static String pciAddress(Path device) {
    try {
      return Files.isSymbolicLink(device)
          ? HostPaths.name(Files.readSymbolicLink(device).normalize())
          : "";
    } catch (IOException vanished) {
      return "";
    }
  }

  private static String pciId(Path device) {
    Optional<String> vendor = HostFile.text(device.resolve("vendor"));
    Optional<String> id = HostFile.text(device.resolve("device"));
    return vendor.isEmpty() || id.isEmpty() ? "" : hex(vendor.get()) + ":" + hex(id.get());
  }

  private static String hex(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.startsWith("0x") ? lower.substring(2) : lower;
  }

  private static LinkState link(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "1", "up" -> LinkState.up;
      case "0", "down" -> LinkState.down;
      default -> LinkState.unknown;
    };
  }

  private static OptionalInt integer(Path file) {
    OptionalLong number = HostFile.number(file);
    return number.isPresent()
        ? OptionalInt.of(Math.clamp(number.getAsLong(), Integer.MIN_VALUE, Integer.MAX_VALUE))
        : OptionalInt.empty();
  }

  /** Its first network interface, in the order of names. */
  private static String mac(Path device) {
    return HostPaths.children(device.resolve("net")).stream()
        .sorted()
        .flatMap(each -> HostFile.text(each.resolve("address")).stream())
        .findFirst()
        .orElse("");
  }

  private static List<String> linkRestarts(Path folder) {
    return HostPaths.children(folder).stream()
        .filter(file -> HostPaths.name(file).startsWith("time_"))
        .sorted()
        .flatMap(file -> HostFile.text(file).stream())
        // an entry that was not used yet
        .filter(time -> !time.isEmpty() && !time.matches("0*(\\.0*)?"))
        .toList();
  }
}
