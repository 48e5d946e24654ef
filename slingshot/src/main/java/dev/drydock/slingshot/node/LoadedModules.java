package dev.drydock.slingshot.node;

import dev.drydock.slingshot.node.decide.LoadedModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernel modules that are loaded on a node, by their names with underscores. */
public final class LoadedModules {
  /** The modules of the driver, core first. */
  public static final List<String> DRIVER = List.of("cxi_ss1", "cxi_user", "cxi_eth");

  /** What the core needs; which of them depends on the release and on the NIC. */
  public static final List<String> LINK = List.of("cxi_sbl", "cxi_sl", "sbl", "sl");

  private final HostRoots roots;

  public LoadedModules(HostRoots roots) {
    this.roots = roots;
  }

  /** Empty if {@code /proc/modules} cannot be read, as on a kernel without modules. */
  public Map<String, LoadedModule> all() {
    Map<String, LoadedModule> all = new LinkedHashMap<>();
    HostFile.text(roots.proc().resolve("modules"))
        .ifPresent(text -> text.lines().forEach(line -> read(line, all)));
    return all;
  }

  /** A line is: name, size, uses, holders with commas or a dash, state, address. */
  private static void read(String line, Map<String, LoadedModule> all) {
    List<String> fields = List.of(line.strip().split("\\s+", -1));
    String name = fields.getFirst();
    if (name.isEmpty()) {
      return;
    }
    int uses =
        fields.size() > 2 && fields.get(2).matches("\\d{1,9}")
            ? Integer.parseInt(fields.get(2))
            : -1;
    List<String> holders = new ArrayList<>();
    if (fields.size() > 3) {
      for (String holder : fields.get(3).split(",", -1)) {
        if (!holder.isEmpty() && !holder.equals("-")) {
          holders.add(holder);
        }
      }
    }
    all.put(name, new LoadedModule(name, uses, List.copyOf(holders)));
  }

  public boolean isLoaded(String name) {
    return all().containsKey(name);
  }

  /** The modules of the driver and its link that are loaded. */
  public List<String> ours() {
    Map<String, LoadedModule> all = all();
    List<String> names = new ArrayList<>(DRIVER);
    names.addAll(LINK);
    names.retainAll(all.keySet());
    return names;
  }

  /** The version that a module declares, if it does. */
  public Optional<String> version(String name) {
    return HostFile.text(module(name, "version")).filter(text -> !text.isEmpty());
  }

  /** The checksum of the sources that a module was built from, if its kernel keeps one. */
  public Optional<String> sourceChecksum(String name) {
    return HostFile.text(module(name, "srcversion")).filter(text -> !text.isEmpty());
  }

  private Path module(String name, String file) {
    return roots.sys().resolve("module").resolve(name).resolve(file);
  }
}
