package dev.drydock.cli;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses a server that requires a client certificate, or a token. */
class DirectTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String HERE = "san=ip:127.0.0.1";

  /** Each takes a second to make, so tests share them. */
  private static final Map<String, KeyStore> IDENTITIES = new HashMap<>();

  @TempDir static Path keys;
  @TempDir Path folder;
  private HttpsServer server;

  /** Of the last request. */
  private volatile String suite = "";

  /** What is answered. */
  private volatile int code = HttpURLConnection.HTTP_OK;

  private final AtomicInteger requests = new AtomicInteger();

  /** Of the last request. */
  private volatile String authorization = "";

  @BeforeEach
  void openTheServer() throws IOException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @AfterEach
  void stopTheServer() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({"EC, PRIVATE KEY", "EC, EC PRIVATE KEY", "RSA, PRIVATE KEY", "RSA, RSA PRIVATE KEY"})
  void aUserIsKnownByTheirCertificateWhateverTheKindOfKey(String algorithm, String type)
      throws Exception {
    KeyStore identity = identity(algorithm, HERE);
    start(identity);

    try (KubeConnection connection = connect(pem(identity), key(identity, type))) {
      assertThat(connection.client().nodes().list().getItems()).isEmpty();
    }
  }

  @Test
  void ofTheServersCipherSuitesOneThatIsFastWithoutTheOptimizingCompilerIsPreferred()
      throws Exception {
    KeyStore identity = identity("EC", HERE);
    start(identity);

    try (KubeConnection connection = connect(pem(identity), key(identity, "PRIVATE KEY"))) {
      assertThat(connection.client().nodes().list().getItems()).isEmpty();
    }

    assertThat(suite).isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
  }

  /** The client library would look for a token in it, with each request of a long process. */
  @Test
  void aKubeconfigWithACertificateIsNotReadAgain() throws Exception {
    KeyStore identity = identity("EC", HERE);
    start(identity);

    try (KubeConnection connection = connect(pem(identity), key(identity, "PRIVATE KEY"))) {
      Path file = folder.resolve("config");
      Files.writeString(
          file,
          Files.readString(file).replaceFirst("user: \\{client", "user: {token: new, client"));
      code = HttpURLConnection.HTTP_UNAUTHORIZED;

      assertThatThrownBy(() -> connection.client().nodes().list())
          .isInstanceOf(KubernetesClientException.class);
    }

    assertThat(requests).hasValue(1);
  }

  @Test
  void anotherAuthorityThanTheKubeconfigsIsNotTrusted() throws Exception {
    KeyStore identity = identity("EC", HERE);
    start(identity);

    assertThat(refusal(pem(newIdentity("EC", HERE)), key(identity, "PRIVATE KEY")))
        .startsWith("cannot trust the API server: ");
  }

  @Test
  void aCertificateForAnotherHostIsNotTrusted() throws Exception {
    KeyStore identity = identity("EC", "san=dns:another.invalid");
    start(identity);

    assertThat(refusal(pem(identity), key(identity, "PRIVATE KEY")))
        .startsWith("cannot trust the API server: ");
  }

  @Test
  void aTokenIsSentToAServerThatTheGivenAuthorityVouchesFor() throws Exception {
    KeyStore identity = identity("EC", HERE);
    start(identity, false);

    try (KubeConnection connection = connectByToken(pem(identity))) {
      assertThat(connection.client().nodes().list().getItems()).isEmpty();
    }

    assertThat(authorization).isEqualTo("Bearer abc");
    assertThat(suite).isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
  }

  @Test
  void aTokenIsNotSentToAnotherServer() throws Exception {
    start(identity("EC", HERE), false);

    try (KubeConnection connection = connectByToken(pem(newIdentity("EC", HERE)))) {
      assertThat(
              KubeErrors.explain(
                  catchThrowableOfType(
                      KubernetesClientException.class, () -> connection.client().nodes().list())))
          .startsWith("cannot trust the API server: ");
    }

    assertThat(authorization).isEmpty();
  }

  @Test
  void aSmallProgramConnectsInTheSameWay() throws Exception {
    KeyStore identity = identity("EC", HERE);
    start(identity, false);

    try (ApiConnection connection = KubeConnection.openHttp(byToken(pem(identity)), null, "there");
        HttpClient http = connection.http()) {
      HttpRequest request =
          http.newHttpRequestBuilder().uri(connection.config().getMasterUrl() + "nodes").build();

      assertThat(http.sendAsync(request, String.class).get().code()).isEqualTo(200);

      assertThat(connection.namespace()).isEqualTo("there");
    }
    assertThat(authorization).isEqualTo("Bearer abc");
  }

  private KubeConnection connectByToken(String authority) throws IOException {
    return KubeConnection.open(byToken(authority), null, null);
  }

  private String byToken(String authority) throws IOException {
    return kubeconfig(authority, "token: abc");
  }

  @Test
  void nothingWaitsForTheNetworkAfterTheConnectionWasClosed() throws Exception {
    KeyStore identity = identity("EC", HERE);
    start(identity);
    Set<Thread> before = Thread.getAllStackTraces().keySet();

    try (KubeConnection connection = connect(pem(identity), key(identity, "PRIVATE KEY"))) {
      assertThat(connection.client().nodes().list().getItems()).isEmpty();
    }

    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(thread) && thread.getName().contains("SelectorManager")) {
        assertThat(thread.join(Duration.ofMinutes(1))).as("%s ends", thread).isTrue();
      }
    }
  }

  private String refusal(String authority, String key) throws Exception {
    try (KubeConnection connection = connect(authority, key)) {
      return KubeErrors.explain(
          catchThrowableOfType(
              KubernetesClientException.class, () -> connection.client().nodes().list()));
    }
  }

  private KubeConnection connect(String authority, String key) throws IOException {
    return KubeConnection.open(
        kubeconfig(
            authority,
            "client-certificate-data: %s, client-key-data: %s".formatted(authority, key)),
        null,
        null);
  }

  private String kubeconfig(String authority, String user) throws IOException {
    return Files.writeString(
            folder.resolve("config"),
            """
            apiVersion: v1
            kind: Config
            current-context: here
            contexts:
            - {name: here, context: {cluster: here, user: me}}
            clusters:
            - {name: here, cluster: {server: 'https://127.0.0.1:%d', certificate-authority-data: %s}}
            users:
            - {name: me, user: {%s}}
            """
                .formatted(server.getAddress().getPort(), authority, user))
        .toString();
  }

  private void start(KeyStore identity) throws Exception {
    start(identity, true);
  }

  private void start(KeyStore identity, boolean needsCertificate) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity, PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("me", identity.getCertificate("me"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters tls = context.getDefaultSSLParameters();
            tls.setNeedClientAuth(needsCertificate);
            tls.setUseCipherSuitesOrder(false); // the client's order counts
            parameters.setSSLParameters(tls);
          }
        });
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          suite = ((HttpsExchange) exchange).getSSLSession().getCipherSuite();
          authorization =
              requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
          byte[] bytes =
              "{\"apiVersion\":\"v1\",\"kind\":\"NodeList\",\"metadata\":{},\"items\":[]}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(code, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  private static KeyStore identity(String algorithm, String extension) throws Exception {
    KeyStore known = IDENTITIES.get(algorithm + extension);
    KeyStore identity = known == null ? newIdentity(algorithm, extension) : known;
    IDENTITIES.put(algorithm + extension, identity);
    return identity;
  }

  /** One certificate for server, CA and user, made with the JDK's keytool. */
  private static KeyStore newIdentity(String algorithm, String extension) throws Exception {
    Path file = Files.createTempDirectory(keys, "keys").resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "me",
                "-keyalg",
                algorithm,
                algorithm.equals("EC") ? "-groupname" : "-keysize",
                algorithm.equals("EC") ? "secp256r1" : "2048",
                "-dname",
                "CN=me",
                "-ext",
                extension,
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore identity = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      identity.load(in, PASSWORD);
    }
    return identity;
  }

  private static String pem(KeyStore identity) throws Exception {
    return pem("CERTIFICATE", identity.getCertificate("me").getEncoded());
  }

  private static String key(KeyStore identity, String type) throws Exception {
    byte[] pkcs8 = identity.getKey("me", PASSWORD).getEncoded();
    return switch (type) {
      case "EC PRIVATE KEY" -> pem(type, withCurve(pkcs8));
      case "RSA PRIVATE KEY" -> pem(type, Arrays.copyOfRange(pkcs8, 26, pkcs8.length));
      default -> pem(type, pkcs8);
    };
  }

  /** The older encoding of a P-256 key: version, private value, curve name. */
  private static byte[] withCurve(byte[] pkcs8) {
    String number = HexFormat.of().formatHex(pkcs8).replaceFirst(".*0201010420(.{64}).*", "$1");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(HexFormat.of().parseHex("30310201010420" + number));
    all.writeBytes(HexFormat.of().parseHex("a00a06082a8648ce3d030107"));
    return all.toByteArray();
  }

  private static String pem(String type, byte[] der) {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(der), type);
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
