package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate that signs itself, for a server on this machine. */
public final class TestCertificate {
  private static final char[] PASSWORD = "password".toCharArray();

  private TestCertificate() {}

  /** Writes tls.crt, tls.key and ca.crt, as a Secret of the manifests has them. */
  public static void write(Path folder) throws IOException, GeneralSecurityException {
    Files.createDirectories(folder);
    Path store = Files.createTempDirectory(folder, "keytool").resolve("store.p12");
    keytool(store);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    String certificate = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
    Files.writeString(folder.resolve("ca.crt"), certificate);
    Files.writeString(
        folder.resolve("tls.key"),
        pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
    Files.writeString(folder.resolve("tls.crt"), certificate);
  }

  private static void keytool(Path store) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=test",
                "-ext",
                "san=ip:127.0.0.1,dns:platform-connector-deployment.nvsentinel.svc",
                "-validity",
                "2",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(said).isZero();
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes));
  }
}
