package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.serve.web.WebServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is answered where client certificates are asked for. */
class ClientAuthoritiesTest {
  private static final WebServer.Setting PORT = new WebServer.Setting("test", "--test");
  private static final Map<String, HttpHandler> PAGES =
      Map.of(
          "/page",
          exchange ->
              WebServer.answer(exchange, HttpURLConnection.HTTP_OK, "text/plain", "secret"));

  @TempDir private Path folder;
  private final CertificateIssuer issuer = new CertificateIssuer();
  private final TlsIdentity authority = issuer.authority(Instant.now());
  private final ServingIdentity identity =
      new ServingIdentity(
          () -> Optional.of(issuer.serving(authority, List.of("localhost"), Instant.now())));

  private HttpResponse<String> ask(WebServer server) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority.certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/page"))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void whoeverShowsNoCertificateIsNotAnswered() throws Exception {
    Path file = Files.writeString(folder.resolve("ca.crt"), Pem.write(authority.chain()));
    try (WebServer open = WebServer.tls(0, identity.context(), PORT, PAGES);
        WebServer closed =
            WebServer.tls(
                0, identity.context(file), WebServer.Clients.WITH_CERTIFICATE, PORT, PAGES)) {
      assertThat(ask(open).body()).isEqualTo("secret");
      assertThatThrownBy(() -> ask(closed)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aFileWithoutCertificatesIsRefused() throws IOException {
    Path empty = Files.writeString(folder.resolve("ca.crt"), "");

    assertThatThrownBy(() -> identity.context(empty)).isInstanceOf(GeneralSecurityException.class);
  }
}
