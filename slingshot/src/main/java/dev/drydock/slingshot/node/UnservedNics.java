package dev.drydock.slingshot.node;

import dev.drydock.slingshot.node.decide.HandlerAbsence;
import java.io.IOException;
import java.util.Optional;

/**
 * Says to the other programs on a node why a NIC has no retry handler: {@code
 * /run/cxi/NIC.unserved}. It means something only while none runs: who wrote it may be gone.
 */
public final class UnservedNics {
  private final HostRoots roots;

  public UnservedNics(HostRoots roots) {
    this.roots = roots;
  }

  private MessageFile file(String nic) {
    return new MessageFile(roots.runCxi().resolve(nic + ".unserved"));
  }

  /** Empty if nobody said anything. */
  public Optional<HandlerAbsence> find(String nic) {
    return file(nic).text().map(HandlerAbsence::parse);
  }

  public void add(String nic, HandlerAbsence why) throws IOException {
    file(nic).write(why.line());
  }

  public void remove(String nic) throws IOException {
    file(nic).delete();
  }
}
