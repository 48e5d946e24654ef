package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderIdentityTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;
  private final CertificateIssuer issuer = new CertificateIssuer();
  private final TlsIdentity authority = issuer.authority(NOW);
  private int writes;

  private TlsIdentity newIdentity() {
    return issuer.serving(authority, List.of("localhost"), NOW);
  }

  private void write(String certificate, String key) throws IOException {
    writes++;
    for (Path file :
        List.of(
            Files.writeString(folder.resolve("tls.crt"), certificate),
            Files.writeString(folder.resolve("tls.key"), key))) {
      // as time goes by, also on file systems that count it coarsely
      Files.setLastModifiedTime(file, FileTime.from(NOW.plusSeconds(writes)));
    }
  }

  private void write(TlsIdentity identity) throws IOException {
    write(Pem.write(identity.chain()), Pem.write(identity.key()));
  }

  @Test
  void itIsReadAgainWhenItChanges() throws Exception {
    TlsIdentity first = newIdentity();
    TlsIdentity second = newIdentity();
    write(first);
    FolderIdentity identity = new FolderIdentity(folder);
    assertThat(identity.get()).contains(first);

    write(second);

    assertThat(identity.get()).contains(second);
  }

  @Test
  void whileItCannotBeUsedTheLastOneIs() throws Exception {
    TlsIdentity first = newIdentity();
    TlsIdentity second = newIdentity();
    write(first);
    FolderIdentity identity = new FolderIdentity(folder);

    write(Pem.write(second.chain()), Pem.write(first.key())); // half of a change
    assertThat(identity.get()).contains(first);
    Files.delete(folder.resolve("tls.key"));
    assertThat(identity.get()).contains(first);

    write(second);
    assertThat(identity.get()).contains(second);
  }

  @Test
  void withoutOneItDoesNotStart() throws IOException {
    assertThatThrownBy(() -> new FolderIdentity(folder)).isInstanceOf(NoSuchFileException.class);
    write("nonsense", "nonsense");
    assertThatThrownBy(() -> new FolderIdentity(folder))
        .isInstanceOf(GeneralSecurityException.class);
  }
}
