package dev.drydock.serve.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How a client of a server other than the API server shows itself and recognises the server, from
 * files in PEM.
 *
 * @param certificate the client's own; empty to show none
 * @param key belongs to the certificate
 * @param authorities whose certificates are trusted; empty for those that Java trusts
 */
public record ClientTls(
    Optional<Path> certificate, Optional<Path> key, Optional<Path> authorities) {
  /** Shows nothing, and trusts what Java trusts. */
  public static final ClientTls DEFAULT =
      new ClientTls(Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * Reads the files.
   *
   * @throws IOException if a file cannot be read; the message names it
   * @throws GeneralSecurityException if a file holds something else
   */
  public SSLContext context() throws IOException, GeneralSecurityException {
    return context(authorities.isPresent() ? trusting(read(authorities.get())) : null);
  }

  /** A context that only encrypts, for servers whose certificates are not checked. */
  public SSLContext uncheckedContext() throws IOException, GeneralSecurityException {
    return context(new TrustManager[] {new TrustsAll()});
  }

  private SSLContext context(TrustManager @Nullable [] trust)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        certificate.isPresent() && key.isPresent()
            ? showing(certificate.get(), key.get())
            : new KeyManager[0],
        trust,
        null);
    return context;
  }

  private static KeyManager[] showing(Path certificate, Path key)
      throws IOException, GeneralSecurityException {
    List<X509Certificate> chain = Pem.certificates(read(certificate));
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "client", Pem.privateKey(read(key)), new char[0], chain.toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    return keys.getKeyManagers();
  }

  private static TrustManager[] trusting(String text) throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    for (X509Certificate authority : Pem.certificates(text)) {
      store.setCertificateEntry(Integer.toString(store.size()), authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }

  private static String read(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("cannot read " + file);
    }
    return Files.readString(file);
  }

  /** For those who ask for encryption without a check of who answers. */
  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
