package dev.drydock.serve.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An identity that somebody else keeps in a folder: {@code tls.crt} and {@code tls.key}. Read again
 * when they have changed; while they cannot be used, the last that could be is.
 */
public final class FolderIdentity implements Supplier<Optional<TlsIdentity>> {
  private static final Logger LOG = LoggerFactory.getLogger(FolderIdentity.class);

  private final Path certificate;
  private final Path key;
  private TlsIdentity identity;
  private List<FileTime> read;
  private String told = "";

  /** The folder holds a certificate and its key now, or this fails and says what is wrong. */
  public FolderIdentity(Path folder) throws IOException, GeneralSecurityException {
    certificate = folder.resolve(StoredCertificates.CERTIFICATE);
    key = folder.resolve(StoredCertificates.KEY);
    read = times();
    identity = load();
  }

  @Override
  public synchronized Optional<TlsIdentity> get() {
    try {
      List<FileTime> now = times();
      if (!now.equals(read)) {
        identity = load();
        read = now;
        LOG.info("reloaded {} and {}", certificate, key);
      }
    } catch (IOException | GeneralSecurityException unusable) {
      logProblem(String.valueOf(unusable.getMessage()));
    }
    return Optional.of(identity);
  }

  private void logProblem(String problem) {
    if (!problem.equals(told)) {
      LOG.warn(
          "cannot load {} and {}: {}; still using the previous ones", certificate, key, problem);
      told = problem;
    }
  }

  private List<FileTime> times() throws IOException {
    return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
  }

  private TlsIdentity load() throws IOException, GeneralSecurityException {
    List<X509Certificate> chain = Pem.certificates(Files.readString(certificate));
    PrivateKey own = Pem.privateKey(Files.readString(key));
    if (chain.isEmpty() || !StoredCertificates.isPair(own, chain.getFirst())) {
      throw new GeneralSecurityException("the key does not belong to the certificate");
    }
    return new TlsIdentity(own, chain);
  }
}
