package dev.drydock.slingshot.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A file by which the programs on a node tell each other something; readers see all of it or none.
 */
public record MessageFile(Path file) {
  Optional<String> text() {
    return HostFile.text(file);
  }

  /** Of one line or several; the last one ends here. */
  public void write(String text) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Path unfinished = file.resolveSibling("." + HostPaths.name(file) + ".tmp");
    Files.writeString(unfinished, text + "\n");
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}
