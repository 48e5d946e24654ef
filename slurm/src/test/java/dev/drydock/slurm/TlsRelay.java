package dev.drydock.slurm;

import dev.drydock.testbed.CommandResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Speaks TLS in front of a server that does not, with a certificate for 127.0.0.1 that signs
 * itself.
 */
public final class TlsRelay implements AutoCloseable {
  private static final String PASSWORD = "password";

  private final ServerSocket server;
  private final URI target;
  private final Path authority;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * @param target the address of the server, on this machine
   */
  public TlsRelay(URI target, Path folder) throws IOException, GeneralSecurityException {
    this.target = target;
    Path work = Files.createTempDirectory(folder, "tls");
    KeyStore keys = keys(work.resolve("store.p12"));
    authority = Files.writeString(work.resolve("ca.crt"), pem(keys));
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private static KeyStore keys(Path store) throws IOException, GeneralSecurityException {
    var _ =
        CommandResult.run(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=test",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-keystore",
                    store.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD),
                Map.of(),
                "")
            .output();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static String pem(KeyStore keys) throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(
            Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(keys.getCertificate("server").getEncoded()));
  }

  /** What clients have to trust. */
  public Path authority() {
    return authority;
  }

  public URI url() {
    return URI.create("https://127.0.0.1:" + server.getLocalPort());
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        open.add(client);
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), target.getPort());
        open.add(plain);
        Thread.ofVirtual().start(() -> pump(client, plain));
        Thread.ofVirtual().start(() -> pump(plain, client));
      } catch (IOException ended) {
        // closed, or the server behind is away: the client has to ask again
      }
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      var _ = in.transferTo(out);
    } catch (IOException refused) {
      // the client does not trust the certificate, or one of them has ended
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
