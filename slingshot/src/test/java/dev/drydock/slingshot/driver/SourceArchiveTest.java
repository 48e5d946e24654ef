package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.slingshot.driver.decide.ArchiveFormat;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.testkit.LoopbackServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives are unpacked into their folder and nowhere else. */
class SourceArchiveTest {
  private static final String LINK = "link:";

  @TempDir private Path root;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectories(root.resolve("usr/src/build")).resolve("cxi-driver");
  }

  /** By name; a content that begins with {@code link:} is a symbolic link. */
  private static byte[] pack(ArchiveFormat format, Map<String, String> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (format == ArchiveFormat.ZIP) {
      try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
        for (Map.Entry<String, String> each : entries.entrySet()) {
          ZipArchiveEntry entry = new ZipArchiveEntry(each.getKey());
          boolean link = each.getValue().startsWith(LINK);
          entry.setUnixMode(link ? 0120777 : each.getKey().endsWith(".sh") ? 0100755 : 0100644);
          zip.putArchiveEntry(entry);
          zip.write(content(each.getValue()));
          zip.closeArchiveEntry();
        }
      }
      return bytes.toByteArray();
    }
    OutputStream out = format == ArchiveFormat.TAR_GZ ? new GZIPOutputStream(bytes) : bytes;
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (Map.Entry<String, String> each : entries.entrySet()) {
        boolean link = each.getValue().startsWith(LINK);
        TarArchiveEntry entry =
            link
                ? new TarArchiveEntry(each.getKey(), TarConstants.LF_SYMLINK)
                : new TarArchiveEntry(each.getKey(), true);
        entry.setMode(each.getKey().endsWith(".sh") ? 0755 : 0644);
        if (link) {
          entry.setLinkName(each.getValue().substring(LINK.length()));
        } else if (!entry.isDirectory()) {
          entry.setSize(content(each.getValue()).length);
        }
        tar.putArchiveEntry(entry);
        if (!link && !entry.isDirectory()) {
          tar.write(content(each.getValue()));
        }
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] content(String text) {
    String plain = text.startsWith(LINK) ? text.substring(LINK.length()) : text;
    return plain.getBytes(StandardCharsets.UTF_8);
  }

  private Path unpack(ArchiveFormat format, byte[] bytes) throws IOException {
    Path archive = Files.write(root.resolve("archive"), bytes);
    return SourceArchive.unpack(archive, format, folder);
  }

  /** What the test did not make itself. */
  private List<String> strangers() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.map(path -> root.relativize(path).toString())
          .filter(name -> !List.of("", "archive", "usr", "usr/src", "usr/src/build").contains(name))
          .toList();
    }
  }

  @ParameterizedTest
  @EnumSource(ArchiveFormat.class)
  void aSingleFolderIsTheSources(ArchiveFormat format) throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("driver-1.0/dkms.conf", "PACKAGE_NAME=x");
    entries.put("driver-1.0/deep/dkms.post_build.sh", "#!/bin/sh");
    entries.put("driver-1.0/link", "link:deep/dkms.post_build.sh");
    entries.put("driver-1.0/up", "link:deep/../dkms.conf");
    Path sources = unpack(format, pack(format, entries));
    assertThat(sources).isEqualTo(folder.resolve("driver-1.0"));
    assertThat(sources.resolve("dkms.conf")).hasContent("PACKAGE_NAME=x");
    assertThat(sources.resolve("link")).isSymbolicLink().hasContent("#!/bin/sh");
    assertThat(sources.resolve("deep/dkms.post_build.sh")).isExecutable();
    assertThat(Files.isExecutable(sources.resolve("up"))).isFalse();
  }

  @Test
  void severalEntriesStayWhereTheyAre() throws IOException {
    Map<String, String> entries = Map.of("dkms.conf", "a", "src/x.c", "b");
    assertThat(unpack(ArchiveFormat.ZIP, pack(ArchiveFormat.ZIP, entries))).isEqualTo(folder);
  }

  static Stream<Arguments> hostile() {
    return Stream.of(
            Map.of("../evil", "x"),
            Map.of("a/../../evil", "x"),
            Map.of("../cxi-driver-evil/x", "x"),
            Map.of("out", "link:../../../../evil"),
            Map.of("out", "link:/etc"),
            Map.of("out", "link:.."),
            ordered("out", "link:..", "out/evil", "x"),
            ordered("in", "link:.", "in/evil", "x"),
            // each of them alone stays inside, or seems to
            ordered("a/d", "link:..", "x", "link:a/d/../../evil"),
            ordered("x", "link:a/d/../../evil", "a/d", "link:.."),
            ordered("loop", "link:loop2", "loop2", "link:loop"))
        .flatMap(
            entries ->
                Arrays.stream(ArchiveFormat.values()).map(format -> Arguments.of(format, entries)));
  }

  private static Map<String, String> ordered(String... namesAndContents) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      map.put(namesAndContents[i], namesAndContents[i + 1]);
    }
    return map;
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void whatLeadsOutOfTheFolderIsRefusedWithOneLine(
      ArchiveFormat format, Map<String, String> entries) throws IOException {
    byte[] bytes = pack(format, entries);
    assertThatThrownBy(() -> unpack(format, bytes))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(FailureReason.ArchiveRefused))
        .message()
        .startsWith("the archive of the sources cannot be used: ")
        .doesNotContain("\n");
    assertThat(strangers()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ArchiveFormat.class)
  void aTruncatedArchiveIsRefusedWhereverItIsCut(ArchiveFormat format) throws IOException {
    byte[] whole = pack(format, ordered("d/a", "x".repeat(3000), "d/b", "y".repeat(3000)));
    // a tar ends with zeros, not all of which have to be there
    int needed = format == ArchiveFormat.TAR ? 7168 : whole.length - 1;
    for (int i = 0; i <= 16; i++) {
      int length = needed * i / 16;
      assertThatThrownBy(() -> unpack(format, Arrays.copyOf(whole, length)))
          .as("the first %d of %d bytes", length, whole.length)
          .isInstanceOf(InstallFailure.class);
      assertThat(strangers()).isEmpty();
    }
  }

  @Test
  void devicesAndHardLinksAreRefused() throws IOException {
    for (byte type : new byte[] {TarConstants.LF_LINK, TarConstants.LF_CHR, TarConstants.LF_FIFO}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
        TarArchiveEntry entry = new TarArchiveEntry("d/x", type);
        entry.setLinkName("/etc/shadow");
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
      }
      assertThatThrownBy(() -> unpack(ArchiveFormat.TAR, bytes.toByteArray()))
          .hasMessageContaining("d/x is neither a file nor a folder nor a symbolic link");
    }
    assertThat(strangers()).isEmpty();
  }

  @Test
  void aDownloadAppearsWhenItIsComplete() throws IOException {
    Path file = root.resolve("download/archive.zip");
    try (LoopbackServer server = new LoopbackServer()) {
      server.handle("/good", exchange -> LoopbackServer.answer(exchange, 200, "content"));
      server.handle("/missing", exchange -> LoopbackServer.answer(exchange, 404, "no"));
      server.handle("/broken", exchange -> LoopbackServer.answer(exchange, 500, "no"));
      server.handle(
          "/cut",
          exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
            exchange.close();
          });
      server.handle(
          "/moved",
          exchange -> {
            exchange.getResponseHeaders().set("Location", "/good");
            LoopbackServer.answer(exchange, 302, "");
          });
      SourceDownload download = new SourceDownload();
      for (Map.Entry<String, String> each :
          Map.of("/missing", "HTTP 404", "/broken", "HTTP 500", "/cut", "/cut: ").entrySet()) {
        assertThatThrownBy(() -> download.fetch(server.uri(each.getKey()).toString(), file))
            .isInstanceOfSatisfying(
                InstallFailure.class,
                failure -> assertThat(failure.reason()).isEqualTo(FailureReason.DownloadFailed))
            .hasMessageContaining(each.getValue());
        assertThat(file.getParent()).isEmptyDirectory();
      }
      download.fetch(server.uri("/moved").toString(), file);
      assertThat(file).hasContent("content");
      assertThat(download.find(server.uri("/missing").toString(), file)).isFalse();
      assertThat(file).hasContent("content");
      assertThatThrownBy(() -> download.fetch("no url", file)).isInstanceOf(InstallFailure.class);
    }
  }

  /** More than any release has, or without end. */
  @Test
  void aDownloadWithoutEndIsStopped() throws IOException {
    Path file = root.resolve("downloads/archive");
    try (LoopbackServer server = new LoopbackServer()) {
      HttpHandler endless =
          exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
              while (true) {
                body.write(new byte[64 * 1024]); // until the client has gone
              }
            }
          };
      server.handle("/endless", endless);
      server.handle("/good", exchange -> LoopbackServer.answer(exchange, 200, "content"));
      String url = server.uri("/endless").toString();
      SourceDownload download = new SourceDownload(Duration.ofMinutes(1), 1 << 20);

      assertThatThrownBy(() -> download.fetch(url, file))
          .isInstanceOfSatisfying(
              InstallFailure.class,
              failure -> assertThat(failure.reason()).isEqualTo(FailureReason.DownloadFailed))
          .hasMessageStartingWith(url);
      assertThatThrownBy(() -> download.text(url)).isInstanceOf(InstallFailure.class);
      assertThat(file.getParent()).isEmptyDirectory();
      download.fetch(server.uri("/good").toString(), file);
      assertThat(file).hasContent("content");
    }
  }

  @Test
  void aDownloadThatStallsIsStopped() throws IOException {
    Path file = root.resolve("downloads/archive");
    CountDownLatch over = new CountDownLatch(1);
    try (LoopbackServer server = new LoopbackServer()) {
      server.handle(
          "/stalls",
          exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
            try {
              over.await();
            } catch (InterruptedException stopped) {
              Thread.currentThread().interrupt();
            }
            exchange.close();
          });
      SourceDownload download = new SourceDownload(Duration.ofMillis(200), 1 << 20);

      assertThatThrownBy(() -> download.fetch(server.uri("/stalls").toString(), file))
          .isInstanceOf(InstallFailure.class)
          .hasMessageContaining("did not end within");
      assertThat(file.getParent()).isEmptyDirectory();
      over.countDown();
    }
  }

  /** Compressed to nearly nothing; read into memory, it would end the agent. */
  @Test
  void aNameWithoutEndIsRefused() throws IOException {
    Path archive = root.resolve("long.tar.gz");
    try (GZIPOutputStream compressed = new GZIPOutputStream(Files.newOutputStream(archive));
        TarArchiveOutputStream tar = new TarArchiveOutputStream(compressed)) {
      TarArchiveEntry name =
          new TarArchiveEntry(TarConstants.GNU_LONGLINK, TarConstants.LF_GNUTYPE_LONGNAME);
      long size = 64L << 20;
      name.setSize(size);
      tar.putArchiveEntry(name);
      byte[] some = new byte[1 << 20];
      Arrays.fill(some, (byte) 'a');
      for (long written = 0; written < size; written += some.length) {
        tar.write(some);
      }
      tar.closeArchiveEntry();
    }

    assertThatThrownBy(() -> SourceArchive.unpack(archive, ArchiveFormat.TAR_GZ, folder))
        .isInstanceOf(InstallFailure.class)
        .hasMessageContaining("the header of an entry has more than 1048576 bytes");
    assertThat(folder).doesNotExist();
  }
}
