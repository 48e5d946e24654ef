package dev.drydock.health.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.tls.ClientTls;
import dev.drydock.testbed.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections to a real server, and certificates instead of a password. */
class PostgresTlsTest {
  private static final String CERTIFIED = "certified";
  private static final String PASSWORD = "changeit";

  @TempDir private static Path folder;
  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws Exception {
    keyPair("server", "localhost");
    keyPair("client", CERTIFIED);
    keyPair("other", "other");
    Path access =
        Files.writeString(
            folder.resolve("hba"),
            "hostssl all %s all cert%nhost all postgres 127.0.0.1/32 trust%n".formatted(CERTIFIED));
    server =
        EmbeddedPostgres.builder()
            .setPort(Ports.free())
            .setPGStartupWait(Duration.ofMinutes(2))
            .setServerConfig("hba_file", access.toString())
            .setServerConfig("ssl", "on")
            .setServerConfig("ssl_cert_file", file("server.crt").toString())
            .setServerConfig("ssl_key_file", file("server.key").toString())
            .setServerConfig("ssl_ca_file", file("client.crt").toString())
            .start();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create role %s login superuser".formatted(CERTIFIED));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static Path file(String name) {
    return folder.resolve(name);
  }

  /** Signed by itself, so that it is its own authority. */
  private static void keyPair(String name, String subject)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = file(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + subject,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-ext",
                "bc=ca:true",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    pem(file(name + ".crt"), "CERTIFICATE", keys.getCertificate("key").getEncoded());
    Path key = file(name + ".key");
    pem(key, "PRIVATE KEY", keys.getKey("key", PASSWORD.toCharArray()).getEncoded());
    assertThat(key.toFile().setReadable(false, false)).isTrue();
    assertThat(key.toFile().setReadable(true, true)).isTrue();
  }

  private static void pem(Path file, String heading, byte[] content) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
            .formatted(heading, Base64.getMimeEncoder().encodeToString(content)));
  }

  private static PostgresConfig config(String user, String mode, ClientTls tls) {
    return new PostgresConfig("127.0.0.1", server.getPort(), "postgres", user, "", mode, tls, 2);
  }

  private static ClientTls tls(String own, String authority) {
    return new ClientTls(
        Optional.of(own).filter(name -> !name.isEmpty()).map(name -> file(name + ".crt")),
        Optional.of(own).filter(name -> !name.isEmpty()).map(name -> file(name + ".key")),
        Optional.of(authority).filter(name -> !name.isEmpty()).map(name -> file(name + ".crt")));
  }

  private static void works(PostgresConfig config) {
    try (PostgresStore store = PostgresStore.open(config, TimeSource.REAL)) {
      assertThat(store.append(List.of(HealthEvent.builder().nodeName("n").build())).ids())
          .hasSize(1);
    }
  }

  private static String failure(PostgresConfig config) {
    return catchThrowableOfType(
            StoreUnavailable.class, () -> PostgresStore.open(config, TimeSource.REAL).close())
        .getMessage();
  }

  @Test
  void aCertificateStandsInForAPasswordAndTheServerIsRecognised() {
    works(config(CERTIFIED, "verify-full", tls("client", "server")));
    works(config(CERTIFIED, "verify-ca", tls("client", "server")));
    works(config(CERTIFIED, "require", tls("client", "")));
  }

  @Test
  void aServerOfAnotherAuthorityIsNotTalkedTo() {
    assertThat(failure(config(CERTIFIED, "verify-full", tls("client", "other"))))
        .contains("PostgreSQL at 127.0.0.1", "certification path");
  }

  @Test
  void aWrongOrMissingCertificateIsToldWithTheVariables() {
    assertThat(failure(config(CERTIFIED, "require", tls("", "server"))))
        .contains("refuses the user certified");
    assertThat(failure(config(CERTIFIED, "require", tls("none", "server"))))
        .contains("none.crt", "$DATASTORE_SSLCERT");
  }
}
