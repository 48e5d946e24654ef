package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeErrorsTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir private Path folder;
  private final List<HttpServer> started = new ArrayList<>();

  @AfterEach
  void stopTheServer() {
    started.forEach(server -> server.stop(0));
  }

  @Test
  void aServerThatDoesNotRunIsRefused() throws IOException {
    try (Socket silent = new Socket()) {
      // bound and not listening: it refuses, and nobody else gets its port
      silent.bind(ANY_PORT);

      assertThat(askedFor("https://127.0.0.1:" + silent.getLocalPort()))
          .isEqualTo(
              "cannot reach the API server: connection refused; is it running, and is the kubeconfig's server right?");
    }
  }

  @Test
  void aServerWithTheCertificateOfAnotherIsNotTrusted() throws Exception {
    HttpsServer https = HttpsServer.create(ANY_PORT, 0);
    https.setHttpsConfigurator(new HttpsConfigurator(selfSigned()));

    assertThat(askedFor("https://127.0.0.1:" + start(https)))
        .startsWith("cannot trust the API server: ")
        .endsWith("; is this the right cluster's kubeconfig?")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | Unauthorized | not logged in: the API server does not accept the kubeconfig's credentials; renew them
          403 | nodes is forbidden: User "me" cannot list | missing permission: nodes is forbidden: User "me" cannot list
          404 | the server could not find the resource | the API server answered 404: the server could not find the resource
          422 | first line\\nsecond line | the API server answered 422: first line
          """)
  void whatTheServerAnswersIsTold(int code, String message, String line) throws IOException {
    String server =
        answering(
            code,
            """
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": %d, "message": "%s"}
        """
                .formatted(code, message.replace("\"", "\\\"")));

    assertThat(askedFor(server)).isEqualTo(line);
  }

  @Test
  void anAnswerThatIsNoStatusIsStillOneLine() throws IOException {
    String server = answering(418, "<html>\n<body>I am a teapot</body></html>");

    assertThat(askedFor(server)).startsWith("the API server answered 418: ").hasLineCount(1);
  }

  @Test
  void anUnknownHostIsToldApartFromARefusal() {
    Throwable asTheJdkReportsIt =
        new ConnectException().initCause(new UnresolvedAddressException());

    assertThat(explained(asTheJdkReportsIt)).contains("unknown host");
    assertThat(explained(new UnknownHostException("x.invalid"))).contains("unknown host");
  }

  @Test
  void silenceIsToldAsSuch() {
    assertThat(explained(new HttpTimeoutException("t"))).contains("no answer in time");
    assertThat(explained(new TimeoutException())).contains("no answer in time");
  }

  @Test
  void aCauseOfNoKnownKindIsTheInnermostMessage() {
    assertThat(explained(new IOException(new SocketException("Connection reset\nby peer"))))
        .isEqualTo("cannot reach the API server: Connection reset");
    assertThat(explained(new IOException((String) null)))
        .isEqualTo("cannot reach the API server: IOException");
    assertThat(KubeErrors.explain(new KubernetesClientException("the URL is wrong")))
        .isEqualTo("cannot reach the API server: the URL is wrong");
  }

  private static String explained(Throwable cause) {
    return KubeErrors.explain(new KubernetesClientException("An error has occurred.", cause));
  }

  /** The error line for what a real client throws when it lists nodes at this address. */
  private String askedFor(String url) throws IOException {
    Path file = Kubeconfigs.forServer(folder.resolve("config"), url);
    try (KubeConnection connection = KubeConnection.open(file.toString(), null, null)) {
      return KubeErrors.explain(
          catchThrowableOfType(
              KubernetesClientException.class, () -> connection.client().nodes().list()));
    }
  }

  private String answering(int code, String body) throws IOException {
    HttpServer http = HttpServer.create(ANY_PORT, 0);
    http.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(code, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    return "http://127.0.0.1:" + start(http);
  }

  private int start(HttpServer server) {
    server.start();
    started.add(server);
    return server.getAddress().getPort();
  }

  /** An untrusted certificate, made with the JDK's keytool. */
  private SSLContext selfSigned() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=another",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "changeit".toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, "changeit".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
