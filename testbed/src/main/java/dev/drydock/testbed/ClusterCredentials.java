package dev.drydock.testbed;

import dev.drydock.testbed.CertificateAuthority.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.time.Clock;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The keys and certificates of one cluster, in files that only their owner can read. */
final class ClusterCredentials {
  private final Path folder;
  private final CertificateAuthority authority;

  ClusterCredentials(Path folder, Clock clock) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.authority = new CertificateAuthority("drydock-testbed", clock);
    // a CA of its own: a user's certificate must not give access to etcd
    CertificateAuthority store = new CertificateAuthority("drydock-testbed-etcd", clock);
    // a holder of such a certificate can impersonate any user: the API server, to servers behind it
    CertificateAuthority proxies = new CertificateAuthority("drydock-testbed-front-proxy", clock);
    write("ca", authority.own());
    write("controller-manager", authority.server("kube-controller-manager"));
    write("scheduler", authority.server("kube-scheduler"));
    write("kubelet-client", authority.client("kube-apiserver-kubelet-client", "system:masters"));
    write("etcd-ca", store.own());
    write("etcd", store.server("etcd"));
    write("etcd-client", store.client("kube-apiserver"));
    write("front-proxy-ca", proxies.own());
    write("front-proxy-client", proxies.client("front-proxy-client"));
    KeyPair tokens = CertificateAuthority.newKeyPair();
    writePrivately(key("service-account"), CertificateAuthority.privateKeyPem(tokens));
    writePrivately(publicKey("service-account"), CertificateAuthority.pem(tokens.getPublic()));
  }

  /** Issues the API server's certificate, also for the address that pods use. */
  void writeApiServer(ServiceNetwork services) {
    write("apiserver", authority.server("kube-apiserver", services.apiAddress()));
  }

  Path certificate(String name) {
    return folder.resolve(name + ".crt");
  }

  Path key(String name) {
    return folder.resolve(name + ".key");
  }

  Path publicKey(String name) {
    return folder.resolve(name + ".pub");
  }

  /** Writes a kubeconfig with a fresh client certificate for the user. */
  Path writeKubeconfig(String name, String server, String user, String... groups) {
    Path file = folder.resolve(name + ".kubeconfig");
    Credentials credentials = authority.client(user, groups);
    writePrivately(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: drydock-testbed
        contexts:
        - name: drydock-testbed
          context:
            cluster: drydock-testbed
            user: '%1$s'
        clusters:
        - name: drydock-testbed
          cluster:
            server: %2$s
            certificate-authority-data: %3$s
        users:
        - name: '%1$s'
          user:
            client-certificate-data: %4$s
            client-key-data: %5$s
        """
            .formatted(
                user.replace("'", "''"),
                server,
                base64(authority.own().certificatePem()),
                base64(credentials.certificatePem()),
                base64(credentials.keyPem())));
    return file;
  }

  /** Trusts only the servers of this cluster. */
  SSLContext trustingContext() {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", authority.own().certificate());
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a key store in memory with one certificate works", e);
    }
  }

  private void write(String name, Credentials credentials) {
    writePrivately(certificate(name), credentials.certificatePem());
    writePrivately(key(name), credentials.keyPem());
  }

  private static void writePrivately(Path file, String text) {
    try {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
