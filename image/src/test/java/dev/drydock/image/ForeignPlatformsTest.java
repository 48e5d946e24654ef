package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignPlatformsTest {
  private static final String LIBRARIES = "org/sqlite/native/";

  @TempDir private Path folder = Path.of("");
  private Path whole = Path.of("");
  private Path jar = Path.of("");

  @BeforeEach
  void reduce() throws IOException {
    whole =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(path -> path.getFileName().toString().startsWith("sqlite-jdbc-"))
            .findFirst()
            .orElseThrow();
    jar = Files.copy(whole, folder.resolve(whole.getFileName()));
    ForeignPlatforms.leaveOut(jar);
  }

  private static List<String> files(Path jar) throws IOException {
    try (JarFile open = new JarFile(jar.toFile())) {
      return open.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    }
  }

  @Test
  void onlyTheLibraryOfThisPlatformIsLeft() throws IOException {
    assertThat(files(jar).stream().filter(name -> name.startsWith(LIBRARIES)))
        .containsExactly(LIBRARIES + "Linux/x86_64/libsqlitejdbc.so");
    assertThat(files(jar).stream().filter(name -> !name.startsWith(LIBRARIES)))
        .containsExactlyElementsOf(
            files(whole).stream().filter(name -> !name.startsWith(LIBRARIES)).toList());
    assertThat(Files.size(jar)).isLessThan(Files.size(whole) / 8);
  }

  @Test
  void theDatabaseWorksWithIt() throws Exception {
    try (URLClassLoader alone =
        new URLClassLoader(
            Stream.concat(Stream.of(jar), logging())
                .map(ForeignPlatformsTest::url)
                .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader())) {
      Driver driver =
          (Driver) alone.loadClass("org.sqlite.JDBC").getDeclaredConstructor().newInstance();
      try (Connection connection = driver.connect("jdbc:sqlite::memory:", new Properties());
          ResultSet answer = connection.createStatement().executeQuery("select 6 * 7")) {
        assertThat(answer.next()).isTrue();
        assertThat(answer.getInt(1)).isEqualTo(42);
      }
    }
  }

  private static Stream<Path> logging() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(path -> path.getFileName().toString().startsWith("slf4j-api-"));
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A second build may begin with the jars of the first. */
  @Test
  void againItStaysTheSame() throws IOException {
    byte[] once = Files.readAllBytes(jar);

    ForeignPlatforms.leaveOut(jar);

    assertThat(Files.readAllBytes(jar)).isEqualTo(once);
  }

  @Test
  void otherJarsStayAsTheyAre() throws IOException {
    Path other = Files.copy(whole, folder.resolve("other-1.jar"));

    ForeignPlatforms.leaveOut(other);

    assertThat(Files.mismatch(other, whole)).isEqualTo(-1);
  }
}
