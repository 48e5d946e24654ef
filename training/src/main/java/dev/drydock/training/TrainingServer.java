package dev.drydock.training;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Serves {@link TrainingObjects} as an API server would: HTTP/2, TLS, client certificates. */
public final class TrainingServer implements AutoCloseable {
  private static final String ALIAS = "training";
  private static final char[] PASSWORD = "training".toCharArray();

  private final TrainingObjects objects = new TrainingObjects();
  private final SSLServerSocket socket;
  private final Path kubeconfig;

  /** With its files in this folder, which the caller removes. */
  public TrainingServer(Path directory) throws IOException, GeneralSecurityException {
    KeyStore identity = identity(directory.resolve("identity.p12"));
    socket = listen(identity);
    kubeconfig = directory.resolve("kubeconfig");
    String certificate = pem("CERTIFICATE", identity.getCertificate(ALIAS).getEncoded());
    String key = pem("PRIVATE KEY", identity.getKey(ALIAS, PASSWORD).getEncoded());
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        current-context: training
        clusters:
        - {name: training, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}
        users:
        - {name: training, user: {client-certificate-data: %s, client-key-data: %s}}
        contexts:
        - {name: training, context: {cluster: training, user: training}}
        """
            .formatted(socket.getLocalPort(), certificate, certificate, key));
    Thread.ofPlatform().daemon().start(this::accept);
  }

  public Path kubeconfig() {
    return kubeconfig;
  }

  public String node() {
    return TrainingObjects.NODE;
  }

  /** Undoes what commands did. */
  public void reset() {
    objects.reset();
  }

  /** The JDK makes certificates only by this tool. */
  private static KeyStore identity(Path file) throws IOException, GeneralSecurityException {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    String password = new String(PASSWORD);
    Process process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storepass",
                password,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private static SSLServerSocket listen(KeyStore identity)
      throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity, PASSWORD);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, identity.getCertificate(ALIAS));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    SSLServerSocket socket =
        (SSLServerSocket)
            tls.getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setNeedClientAuth(true);
    socket.setSSLParameters(parameters);
    return socket;
  }

  private void accept() {
    try {
      while (true) {
        SSLSocket connection = (SSLSocket) socket.accept();
        Thread.ofPlatform().daemon().start(new Http2Serving(connection, objects));
      }
    } catch (IOException closed) {
      // the training is over
    }
  }

  private static String pem(String type, byte[] der) {
    String text =
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(der), type);
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
