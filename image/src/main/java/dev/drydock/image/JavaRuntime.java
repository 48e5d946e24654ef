package dev.drydock.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Properties;
import java.util.spi.ToolProvider;

/** A Java runtime with the modules that the program needs, linked from the JDK that runs this. */
record JavaRuntime(Path folder) {
  /** What our code and its libraries use, without what libraries use only if it is there. */
  private static final List<String> MODULES =
      List.of(
          "java.base",
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.sql",
          "java.xml",
          "jdk.httpserver",
          "jdk.management",
          // addresses of MongoDB such as mongodb+srv://
          "jdk.naming.dns",
          "jdk.net",
          "jdk.unsupported");

  /** Links a runtime that trusts the authorities of Debian's package, not those of this machine. */
  static JavaRuntime link(Path folder, Path debian) throws IOException {
    ToolProvider jlink =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new ImageFailure("this JDK has no jlink: use a complete JDK 25"));
    Folders.delete(folder);
    PrintStream out =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    int exitCode =
        jlink.run(
            out,
            System.err,
            "--add-modules",
            String.join(",", MODULES),
            "--strip-java-debug-attributes",
            // it generates the same classes in another order each time; the start-up cache has them
            "--disable-plugin",
            "generate-jli-classes",
            "--no-header-files",
            "--no-man-pages",
            "--output",
            folder.toString());
    if (exitCode != 0) {
      throw new ImageFailure("jlink failed, as it says above");
    }
    JavaRuntime runtime = new JavaRuntime(folder);
    runtime.trust(Folders.content(debian.resolve("usr/share/ca-certificates/mozilla")));
    return runtime;
  }

  /** Removes the programs that only the training run uses. */
  void keepOnlyJava() throws IOException {
    for (Path program : Folders.content(folder.resolve("bin"))) {
      if (!program.endsWith("java")) {
        Files.delete(program);
      }
    }
  }

  Path java() {
    return folder.resolve("bin/java");
  }

  /** A property in its "release" file, e.g. {@code JAVA_VERSION}. */
  String property(String key) throws IOException {
    Properties release = new Properties();
    try (InputStream in = Files.newInputStream(folder.resolve("release"))) {
      release.load(in);
    }
    return release.getProperty(key, "").replace("\"", "");
  }

  private void trust(List<Path> certificates) throws IOException {
    // public data: encryption would only make its bytes differ each time
    System.setProperty("keystore.pkcs12.certProtectionAlgorithm", "NONE");
    System.setProperty("keystore.pkcs12.macAlgorithm", "NONE");
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Path file : certificates) {
        try (InputStream in = Files.newInputStream(file)) {
          store.setCertificateEntry(
              String.valueOf(file.getFileName()), factory.generateCertificate(in));
        }
      }
      Path target = folder.resolve("lib/security/cacerts");
      Files.deleteIfExists(target);
      try (OutputStream out = Files.newOutputStream(target)) {
        store.store(out, new char[0]);
      }
    } catch (GeneralSecurityException e) {
      throw new ImageFailure("cannot write the trusted certificates: " + e.getMessage(), e);
    }
  }
}
