package dev.drydock.image;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.realkubelet.OciArchive;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this module's build has made. */
final class BuiltImage {
  /** Of all files in it, as in the pom.xml. */
  static final String TIME = "2026-01-01T00:00:00Z";

  private BuiltImage() {}

  /** Copies of its jars, for another build, which takes them away. */
  static String jars(Path folder) throws IOException {
    Path copies = Files.createDirectories(folder.resolve("jars"));
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(Path.of("target/image/root/opt/drydock/lib"))) {
      for (Path jar : jars) {
        Files.copy(jar, copies.resolve(jar.getFileName()));
      }
    }
    return copies.toString();
  }

  static String version(OciArchive image) {
    return image.name().substring(image.name().lastIndexOf(':') + 1);
  }

  /** Skips the test where no image could be built, unless that is an error. */
  static OciArchive archive() {
    Path file = OciArchive.newestIn(Path.of("..", "target"));
    if (Files.exists(file)) {
      return OciArchive.of(file);
    }
    assumeTrue(ClusterExtension.isRequired(), "no image was built; the build said why");
    throw new AssertionError("no image was built; the build said why");
  }
}
