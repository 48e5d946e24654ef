package dev.drydock.slingshot.node;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Names and folders of a host, which may vanish while they are read. */
public final class HostPaths {
  private HostPaths() {}

  /** The last part of a path. */
  public static String name(Path path) {
    Path last = path.getFileName();
    return last == null ? "" : last.toString();
  }

  /** What is in a folder, in no order; nothing if it cannot be read. */
  public static List<Path> children(Path folder) {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(all::add);
    } catch (IOException | DirectoryIteratorException vanished) {
      return List.copyOf(all);
    }
    return all;
  }
}
