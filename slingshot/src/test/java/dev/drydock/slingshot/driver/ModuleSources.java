package dev.drydock.slingshot.driver;

import com.sun.net.httpserver.HttpExchange;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.node.HostPaths;
import dev.drydock.testkit.LoopbackServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Serves sources of trivial modules with the names of the driver's. */
final class ModuleSources implements AutoCloseable {
  private static final String CONF =
      """
      PACKAGE_NAME="@PACKAGE_NAME@"
      PACKAGE_VERSION="@PACKAGE_VERSION@"
      MAKE="make -C ${kernel_source_dir} M=${dkms_tree}/@PACKAGE_NAME@/@PACKAGE_VERSION@/build modules"
      CLEAN="true"
      BUILT_MODULE_NAME[0]="cxi-ss1"
      DEST_MODULE_LOCATION[0]="/extra"
      BUILT_MODULE_NAME[1]="cxi-user"
      DEST_MODULE_LOCATION[1]="/extra"
      AUTOINSTALL="yes"
      PRE_BUILD="wait.sh begun"
      POST_BUILD="wait.sh built"
      """;

  /** A test may stop a build at a point as long as this file, with the point added, exists. */
  static final String HELD = "/var/lib/hold-build-";

  /** The points: nothing is compiled yet; the modules are where DKMS keeps what it has built. */
  enum Point {
    BEGUN,
    BUILT;

    Path file(RealDkms dkms) {
      return dkms.root().resolve((HELD + name().toLowerCase(Locale.ROOT)).substring(1));
    }

    /** Exists as soon as a build has come to it and waits there. */
    Path reached(RealDkms dkms) {
      return file(dkms).resolveSibling(HostPaths.name(file(dkms)) + "-reached");
    }
  }

  private final LoopbackServer server = new LoopbackServer();

  /** Without a declared version, as the driver's; the text makes each version another file. */
  private static String module(String text) {
    return """
        #include <linux/module.h>
        static const char *text = "%s";
        static int __init begin(void) { pr_info("%%s", text); return 0; }
        static void __exit end(void) {}
        module_init(begin);
        module_exit(end);
        MODULE_LICENSE("GPL");
        """
        .formatted(text);
  }

  /** The driver of a version; its sources can be made unfit. */
  DriverTarget driver(String version, String revision, String more) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("dkms.conf.in", CONF);
    files.put("Kbuild", "obj-m := cxi-ss1.o cxi-user.o\n");
    files.put("cxi-ss1.c", module("core " + version + " " + revision) + more);
    files.put("cxi-user.c", module("user " + version));
    files.put(
        "wait.sh",
        """
        #!/bin/sh
        while [ -e %1$s$1 ]; do
          : >%1$s$1-reached
          sleep 0.1
        done
        """
            .formatted(HELD));
    String path = "/%s/archive/refs/tags/v%s.tar.gz".formatted(revision, version);
    serve(path, files);
    return new DriverTarget(
        revision,
        version,
        SourceType.dkms,
        server.uri(path).toString(),
        null,
        null,
        Platform.cassini,
        Map.of());
  }

  DriverTarget driver(String version) {
    return driver(version, "revision-" + version, "");
  }

  /** A server of repositories, as many sites have one. */
  void repository(String path, Map<String, String> files) {
    serve(path, files);
  }

  String url(String path) {
    return server.uri(path).toString();
  }

  private void serve(String path, Map<String, String> files) {
    byte[] archive = pack(files);
    server.handle(path, exchange -> answer(exchange, archive));
  }

  private static void answer(HttpExchange exchange, byte[] archive) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, archive.length);
      exchange.getResponseBody().write(archive);
    }
  }

  private static byte[] pack(Map<String, String> files) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry("driver/" + file.getKey());
        entry.setSize(content.length);
        entry.setMode(file.getKey().endsWith(".sh") ? 0755 : 0644);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    server.close();
  }
}
