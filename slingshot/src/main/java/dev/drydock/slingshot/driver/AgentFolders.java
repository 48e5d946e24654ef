package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.node.HostRoots;
import java.nio.file.Path;

/**
 * Where a driver agent finds and keeps things. Programs of the host know them by their usual names.
 *
 * @param dkms {@code /var/lib/dkms}
 * @param state what the agent keeps, {@code /var/lib/cxi-driver}
 * @param cache modules that were built; may be shared by nodes
 * @param podLogs {@code /var/log/pods}, whose names tell pods by their UIDs
 * @param podResources the kubelet's socket that says which pods have devices
 */
public record AgentFolders(
    HostRoots roots, Path dkms, Path state, Path cache, Path podLogs, Path podResources) {
  static final String HOST_STATE = "/var/lib/cxi-driver";
  static final String HOST_DKMS = "/var/lib/dkms";

  /** The folders of a machine whose root is this one. */
  public static AgentFolders below(Path root, HostRoots roots) {
    Path state = root.resolve("var/lib/cxi-driver");
    return new AgentFolders(
        roots,
        root.resolve("var/lib/dkms"),
        state,
        state.resolve("modules"),
        root.resolve("var/log/pods"),
        root.resolve("var/lib/kubelet/pod-resources/kubelet.sock"));
  }

  /**
   * Where sources are unpacked: on the file system of {@code /usr/src}, and out of everybody's way.
   */
  Path work() {
    return roots.sources().resolve(".cxi-driver-build");
  }

  /** A path below that folder, as programs of the host name it. */
  static String hostWork(String name) {
    return "/usr/src/.cxi-driver-build/" + name;
  }

  Path modules(String kernel) {
    return roots.modules().resolve(kernel);
  }

  /** A file of {@code /lib/modules} by the name that programs of the host print. */
  Path module(String hostPath) {
    String rest = hostPath.replaceFirst("^(/usr)?/lib/modules/", "");
    return roots.modules().resolve(rest);
  }
}
