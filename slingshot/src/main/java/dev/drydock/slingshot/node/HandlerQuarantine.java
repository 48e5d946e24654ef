package dev.drydock.slingshot.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says to the other programs on a node that the retry handler of a NIC crashed, so that the state
 * of the NIC is not known: {@code /run/cxi/NIC.quarantine}. While it is there, no retry handler
 * starts for the NIC, and pods do not get it. A boot removes it, and so may a person.
 */
public final class HandlerQuarantine {
  private static final String SUFFIX = ".quarantine";

  private final Path folder;

  public HandlerQuarantine(HostRoots roots) {
    folder = roots.runCxi();
  }

  public Path file(String nic) {
    return folder.resolve(nic + SUFFIX);
  }

  /** What happened, for people; empty if the NIC is not in quarantine. */
  public Optional<String> reason(String nic) {
    Path file = file(nic);
    return Files.exists(file)
        ? HostFile.text(file).filter(text -> !text.isEmpty()).or(() -> Optional.of("unknown"))
        : Optional.empty();
  }

  /**
   * Puts a NIC in quarantine.
   *
   * @param reason for people, in one line
   */
  public void begin(String nic, String reason) throws IOException {
    new MessageFile(file(nic)).write(reason);
  }
}
