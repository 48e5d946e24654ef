package dev.drydock.slingshot.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says to the other programs on a node that the driver is being replaced: {@code
 * /run/cxi/driver-update}. While it is there, retry handlers stop and do not start, and devices are
 * not offered to pods. The driver agent removes it; a boot does, too.
 */
public final class DriverUpdateMarker {
  private final Path file;

  public DriverUpdateMarker(HostRoots roots) {
    file = roots.runCxi().resolve("driver-update");
  }

  public Path file() {
    return file;
  }

  /** What is being done, for people; empty if the driver is not being replaced. */
  public Optional<String> reason() {
    return HostFile.text(file);
  }

  public boolean isSet() {
    return Files.exists(file);
  }

  /**
   * The driver is replaced from now on.
   *
   * @param reason for people
   */
  public void set(String reason) throws IOException {
    if (reason().filter(reason::equals).isPresent()) {
      return;
    }
    new MessageFile(file).write(reason);
  }

  public void clear() throws IOException {
    Files.deleteIfExists(file);
  }
}
