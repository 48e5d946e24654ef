package dev.drydock.slingshot.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How programs of the host are started from where the agent runs. */
@FunctionalInterface
public interface HostCommand {
  /**
   * The words that precede each command.
   *
   * @throws IOException with one line, if the host's programs cannot be reached
   */
  List<String> words() throws IOException;

  static HostCommand words(List<String> words) {
    return () -> words;
  }

  /** In the host's root. */
  static HostCommand chroot(Path root) {
    return () -> HostChroot.words(root);
  }

  /** Here, with programs of a machine that is only a folder before all others. */
  static HostCommand programsIn(Path root) {
    return words(
        List.of(
            "env",
            "PATH=%1$s/usr/sbin:%1$s/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin"
                .formatted(root.toAbsolutePath())));
  }
}
