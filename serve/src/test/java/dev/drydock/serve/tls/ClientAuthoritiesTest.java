package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.serve.web.WebServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
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
    return ask(server, Optional.empty());
  }

  /** With a certificate, if the client has one. */
  private HttpResponse<String> ask(WebServer server, Optional<TlsIdentity> shown) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority.certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(shown), trust.getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/page"))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static KeyManager @Nullable [] keys(Optional<TlsIdentity> shown)
      throws IOException, GeneralSecurityException {
    if (shown.isEmpty()) {
      return null;
    }
    KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
    own.load(null, null);
    own.setKeyEntry(
        "own", shown.get().key(), new char[0], shown.get().chain().toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    return new KeyManager[] {new AnyIssuer((X509ExtendedKeyManager) keys.getKeyManagers()[0])};
  }

  /** Shows its certificate also to servers that do not name its authority. */
  private static final class AnyIssuer extends X509ExtendedKeyManager {
    private final X509ExtendedKeyManager keys;

    AnyIssuer(X509ExtendedKeyManager keys) {
      this.keys = keys;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String @Nullable [] types, Principal @Nullable [] issuers, SSLEngine engine) {
      return "own";
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String name) {
      return keys.getCertificateChain(name);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String name) {
      return keys.getPrivateKey(name);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return new String[] {"own"};
    }

    @Override
    public @Nullable String chooseClientAlias(
        String @Nullable [] types, Principal @Nullable [] issuers, Socket socket) {
      return "own";
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }

  /** As an API server has one, to show to webhooks. */
  private static TlsIdentity client(TlsIdentity signer) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair keys = generator.generateKeyPair();
    Instant now = Instant.now();
    X509Certificate certificate =
        new JcaX509CertificateConverter()
            .getCertificate(
                new JcaX509v3CertificateBuilder(
                        X500Name.getInstance(
                            signer.certificate().getSubjectX500Principal().getEncoded()),
                        BigInteger.TEN,
                        Date.from(now.minusSeconds(60)),
                        Date.from(now.plusSeconds(3600)),
                        new X500Name("CN=kube-apiserver"),
                        keys.getPublic())
                    .addExtension(
                        Extension.extendedKeyUsage,
                        false,
                        new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth))
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.key())));
    return new TlsIdentity(keys.getPrivate(), List.of(certificate));
  }

  @Test
  void onlyARightCertificateIsAnswered() throws Exception {
    TlsIdentity other = issuer.authority(Instant.now());
    Path file = Files.writeString(folder.resolve("ca.crt"), Pem.write(authority.chain()));
    try (WebServer closed =
        WebServer.tls(0, identity.context(file), WebServer.Clients.WITH_CERTIFICATE, PORT, PAGES)) {
      assertThat(ask(closed, Optional.of(client(authority))).body()).isEqualTo("secret");

      assertThatThrownBy(() -> ask(closed, Optional.of(client(other))))
          .as("of another authority")
          .isInstanceOf(IOException.class);
      TlsIdentity server = issuer.serving(authority, List.of("localhost"), Instant.now());
      assertThatThrownBy(() -> ask(closed, Optional.of(server)))
          .as("for servers")
          .isInstanceOf(IOException.class);
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
