package dev.drydock.serve.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The identity that servers show, asked for with each new connection: a change needs no restart.
 * Without one connections fail. Safe for use by many threads.
 */
public final class ServingIdentity {
  private final Supplier<Optional<TlsIdentity>> current;

  public ServingIdentity(Supplier<Optional<TlsIdentity>> current) {
    this.current = current;
  }

  public Optional<TlsIdentity> current() {
    return current.get();
  }

  /** For servers that make their own contexts. */
  public KeyManager keyManager() {
    return new CurrentKey();
  }

  /** For servers that anybody may ask. */
  public SSLContext context() {
    return context(new TrustManager[0]);
  }

  /**
   * For servers that only clients with a certificate of one of the authorities in a file may ask.
   *
   * @throws GeneralSecurityException if the file holds no certificates
   */
  public SSLContext context(Path clientAuthorities) throws IOException, GeneralSecurityException {
    List<X509Certificate> authorities = Pem.certificates(Files.readString(clientAuthorities));
    if (authorities.isEmpty()) {
      throw new GeneralSecurityException("there is no certificate in it");
    }
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    for (X509Certificate authority : authorities) {
      trusted.setCertificateEntry(Integer.toString(trusted.size()), authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return context(trust.getTrustManagers());
  }

  private SSLContext context(TrustManager[] trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new CurrentKey()}, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has TLS", e);
    }
  }

  /**
   * A handshake asks for the name first, then for key and certificates by it. So the one before is
   * kept, for handshakes that are under way while it is replaced.
   */
  private final class CurrentKey extends X509ExtendedKeyManager {
    private List<TlsIdentity> known = List.of();

    private synchronized Optional<TlsIdentity> newest() {
      Optional<TlsIdentity> now = current.get();
      if (now.isPresent() && (known.isEmpty() || !known.getFirst().equals(now.get()))) {
        known = Stream.concat(now.stream(), known.stream()).limit(2).toList();
      }
      return now;
    }

    private synchronized Optional<TlsIdentity> named(@Nullable String name) {
      return known.stream().filter(identity -> identity.name().equals(name)).findFirst();
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return newest()
          .filter(identity -> identity.key().getAlgorithm().equals(keyType))
          .map(TlsIdentity::name)
          .orElse(null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String name) {
      return named(name)
          .map(identity -> identity.chain().toArray(X509Certificate[]::new))
          .orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String name) {
      return named(name).map(TlsIdentity::key).orElse(null);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return null; // not called: JDK servers work with engines
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String @Nullable [] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }
}
