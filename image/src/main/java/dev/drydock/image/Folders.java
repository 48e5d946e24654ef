package dev.drydock.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the JDK has no method for. */
final class Folders {
  private Folders() {}

  /** Everything in it, sorted, without itself. */
  static List<Path> content(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(each -> !each.equals(folder)).sorted().toList();
    }
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      for (Path each : content(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
      Files.delete(folder);
    }
  }

  static void setTimes(Path folder, FileTime time) throws IOException {
    for (Path each : content(folder)) {
      if (!Files.isSymbolicLink(each)) {
        Files.setLastModifiedTime(each, time);
      }
    }
  }
}
