package dev.drydock.slingshot.fake;

import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.HostPaths;
import dev.drydock.slingshot.node.HostRoots;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A folder that looks to programs like the root of a machine with CXI NICs: sysfs, device files,
 * loaded modules and a retry handler. NICs come and go, and links flip, by changes of its files.
 */
public final class FakeNics {
  /** Of the machine, unless another one is asked for. */
  public static final String KERNEL = "6.1.0-cxi-amd64";

  /** How many restarts of a link the kernel remembers. */
  private static final int REMEMBERED_RESTARTS = 10;

  private static final List<String> SCRIPTS =
      List.of("cxi_rh", "modprobe", "rmmod", "modinfo", "depmod");

  private final Path root;
  private final HostRoots roots;
  private final Clock clock;

  private FakeNics(Path root, Clock clock) {
    this.root = root;
    this.clock = clock;
    roots = HostRoots.below(root);
  }

  /** Makes a machine without NICs, with the driver loaded; what the folder has already stays. */
  public static FakeNics create(Path root, String kernel, Clock clock) throws IOException {
    FakeNics made = new FakeNics(root, clock);
    made.prepare(kernel);
    return made;
  }

  /**
   * One that was made before.
   *
   * @throws NoSuchFileException if there is none
   */
  public static FakeNics open(Path root, Clock clock) throws IOException {
    FakeNics opened = new FakeNics(root, clock);
    if (!Files.isDirectory(opened.sysfs().folder())) {
      throw new NoSuchFileException(opened.sysfs().folder().toString());
    }
    return opened;
  }

  private void prepare(String kernel) throws IOException {
    Files.createDirectories(sysfs().folder());
    for (Path folder :
        List.of(roots.dev(), roots.runCxi(), roots.sources(), roots.modules().resolve(kernel))) {
      Files.createDirectories(folder);
    }
    write(
        roots.proc().resolve("version"),
        "Linux version %s (fake) #1 SMP PREEMPT_DYNAMIC".formatted(kernel));
    write(roots.proc().resolve("stat"), "btime " + clock.instant().getEpochSecond());
    write(
        roots.proc().resolve("sys/kernel/random/boot_id"),
        "00000000-0000-4000-8000-%012x".formatted(clock.instant().toEpochMilli()));
    write(
        roots.proc().resolve("modules"),
        """
        cxi_eth 1 0 - Live 0x0
        cxi_user 1 0 - Live 0x0
        cxi_ss1 1 2 cxi_eth,cxi_user, Live 0x0
        """
            .strip());
    Path programs = Files.createDirectories(root.resolve("usr/bin"));
    for (String script : SCRIPTS) {
      Path file = programs.resolve(script);
      try (InputStream text =
          Objects.requireNonNull(FakeNics.class.getResourceAsStream(script + ".sh"))) {
        Files.copy(text, file, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  /** Where programs find it. */
  public HostRoots roots() {
    return roots;
  }

  public CxiSysfs sysfs() {
    return new CxiSysfs(roots);
  }

  /** Accepts the command lines that the vendor's program accepts, and no others. */
  public Path retryHandler() {
    return root.resolve("usr/bin/cxi_rh");
  }

  /** A NIC comes, with its device file; one of the same name is replaced. */
  public void add(FakeNic nic) throws IOException {
    remove(nic.name());
    Path device = roots.sys().resolve("devices").resolve(nic.bridge()).resolve(nic.pciAddress());
    Map<String, String> files =
        Map.ofEntries(
            Map.entry("vendor", nic.vendor()),
            Map.entry("device", nic.device()),
            Map.entry("numa_node", Integer.toString(nic.numaNode())),
            Map.entry("properties/nid", "0x%05x".formatted(nic.nid())),
            Map.entry("properties/link", nic.up() ? "1" : "0"),
            Map.entry("properties/speed", nic.up() ? speed(nic.generation()) : "0"),
            Map.entry("properties/cassini_version", nic.generation() + ".0"),
            Map.entry("properties/driver_rev", "fake"),
            Map.entry("properties/rev", "2"),
            Map.entry("properties/platform", "1"),
            Map.entry("properties/hpc_mtu", "2048"),
            Map.entry("properties/pid_count", "256"),
            Map.entry("properties/rgids_avail", "255"),
            Map.entry("properties/pcie_corr_err", "0"),
            Map.entry("properties/pcie_uncorr_err", "0"),
            Map.entry("uc/version", "1.0.0"),
            Map.entry("fru/serial_number", "FAKE" + nic.name()),
            Map.entry(
                "net/hsn%s/address".formatted(nic.name().substring(3)),
                "02:00:00:%02x:%02x:%02x"
                    .formatted(nic.nid() >> 16 & 0xff, nic.nid() >> 8 & 0xff, nic.nid() & 0xff)));
    for (Map.Entry<String, String> file : files.entrySet()) {
      write(device.resolve(file.getKey()), file.getValue());
    }
    for (int i = 0; i < REMEMBERED_RESTARTS; i++) {
      write(device.resolve("link_restarts/time_" + i), "0");
    }
    Path own = Files.createDirectories(device.resolve("cxi").resolve(nic.name()));
    Files.createSymbolicLink(own.resolve("device"), Path.of("../../..", nic.pciAddress()));
    makeDeviceFile(roots.device(nic.name()));
    // last: now it is there
    Files.createSymbolicLink(entry(nic.name()), sysfs().folder().relativize(own));
  }

  /** From now on device files are devices that swallow everything, as containers want them. */
  public void useDeviceNodes() throws IOException {
    write(deviceNodes(), "");
  }

  private Path deviceNodes() {
    return root.resolve("run/device-nodes");
  }

  private void makeDeviceFile(Path file) throws IOException {
    if (!Files.exists(deviceNodes())) {
      write(file, "");
      return;
    }
    Files.deleteIfExists(file);
    Process mknod =
        new ProcessBuilder("mknod", "-m", "666", file.toString(), "c", "1", "3")
            .redirectErrorStream(true)
            .start();
    String said = new String(mknod.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (mknod.onExit().join().exitValue() != 0) {
      throw new IOException(said.strip());
    }
  }

  private static String speed(int generation) {
    return generation == 1 ? "200000" : "400000";
  }

  private Path entry(String nic) {
    return sysfs().folder().resolve(nic);
  }

  private Path device(String nic) throws IOException {
    return entry(nic).resolve("device").toRealPath();
  }

  public boolean has(String nic) {
    return Files.exists(entry(nic), LinkOption.NOFOLLOW_LINKS);
  }

  /** A NIC goes, with its device file. */
  public void remove(String nic) throws IOException {
    if (!has(nic)) {
      return;
    }
    Path device = device(nic);
    Files.delete(entry(nic));
    Files.deleteIfExists(roots.device(nic));
    Files.walkFileTree(
        device,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failed)
              throws IOException {
            if (failed != null) {
              throw failed;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The link goes up or down; one that comes back counts as restarted. */
  public void link(String nic, boolean up) throws IOException {
    boolean wasUp = value(nic, "properties/link").equals("1");
    set(nic, "properties/link", up ? "1" : "0");
    set(
        nic,
        "properties/speed",
        up ? speed(value(nic, "properties/cassini_version").startsWith("1") ? 1 : 2) : "0");
    if (up && !wasUp) {
      for (int i = REMEMBERED_RESTARTS - 1; i > 0; i--) {
        set(nic, "link_restarts/time_" + i, value(nic, "link_restarts/time_" + (i - 1)));
      }
      set(
          nic,
          "link_restarts/time_0",
          "%d.%03d".formatted(clock.millis() / 1000, clock.millis() % 1000));
    }
  }

  private String value(String nic, String file) throws IOException {
    return Files.readString(device(nic).resolve(file)).strip();
  }

  /**
   * Writes a file of the NIC's device, or with {@code rh/} one of its retry handler's statistics.
   *
   * @throws NoSuchFileException if there is no such NIC
   */
  public void set(String nic, String file, String value) throws IOException {
    Path device = device(nic);
    boolean counted = file.startsWith("rh/");
    Path folder = counted ? roots.runCxi().resolve(nic) : device;
    Path target = folder.resolve(counted ? file.substring(3) : file).normalize();
    if (!target.startsWith(folder)) {
      throw new NoSuchFileException(file);
    }
    write(target, value);
  }

  /** Readers see the old text or the new one. */
  private static void write(Path file, String text) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent());
    Files.createDirectories(folder);
    Path unfinished = folder.resolveSibling("." + HostPaths.name(file) + ".tmp");
    Files.writeString(unfinished, text + "\n");
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
