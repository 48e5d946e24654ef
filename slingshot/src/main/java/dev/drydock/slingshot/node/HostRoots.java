package dev.drydock.slingshot.node;

import java.nio.file.Path;

/**
 * Where a program on a node finds the host's folders. In a pod each is mounted at its usual place;
 * tests and the fake NIC kit have them elsewhere.
 *
 * @param modules {@code /lib/modules}
 * @param sources {@code /usr/src}
 * @param runCxi {@code /run/cxi}: statistics of retry handlers, and what the programs on a node
 *     tell each other; a boot empties it
 */
public record HostRoots(Path sys, Path proc, Path dev, Path modules, Path sources, Path runCxi) {
  /** Those of a machine whose root is this folder. */
  public static HostRoots below(Path root) {
    return new HostRoots(
        root.resolve("sys"),
        root.resolve("proc"),
        root.resolve("dev"),
        root.resolve("lib/modules"),
        root.resolve("usr/src"),
        root.resolve("run/cxi"));
  }

  /** Whoever runs the retry handler of a NIC holds it, so that there is only one. */
  public Path lock(String nic) {
    return runCxi.resolve(nic + ".lock");
  }

  /** The device file of a NIC. */
  public Path device(String nic) {
    return dev.resolve(nic);
  }
}
