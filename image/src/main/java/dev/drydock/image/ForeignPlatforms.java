package dev.drydock.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * Native libraries in jars that are for other systems than the one that is built for. The rest of a
 * jar is copied as it is, compressed, so that its bytes depend on the jar alone.
 */
final class ForeignPlatforms {
  private static final String JAR = "sqlite-jdbc-";
  private static final String LIBRARIES = "org/sqlite/native/";

  /** With glibc, as Debian and the runtime have it. */
  private static final String OURS =
      LIBRARIES + "Linux/" + System.getProperty("os.arch").replace("amd64", "x86_64") + "/";

  private ForeignPlatforms() {}

  /** Removes them from a jar that has any. */
  static void leaveOut(Path jar) throws IOException {
    if (!jar.getFileName().toString().startsWith(JAR)) {
      return;
    }
    Path smaller = jar.resolveSibling(jar.getFileName() + ".new");
    try (ZipFile from = ZipFile.builder().setPath(jar).get();
        ZipArchiveOutputStream to = new ZipArchiveOutputStream(smaller)) {
      if (from.getEntry(OURS + "libsqlitejdbc.so") == null) {
        throw new ImageFailure(
            "%s has no library in %s: its folders are called differently, which ForeignPlatforms has to know"
                .formatted(jar.getFileName(), OURS));
      }
      from.copyRawEntries(to, entry -> isNeeded(entry.getName()));
    }
    Files.move(smaller, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isNeeded(String entry) {
    return !entry.startsWith(LIBRARIES) || entry.endsWith("/") || entry.startsWith(OURS);
  }
}
