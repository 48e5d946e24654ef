package dev.drydock.slingshot.retry;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.slingshot.node.DriverUpdateMarker;
import dev.drydock.slingshot.node.HandlerQuarantine;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.RunningRetryHandlers;
import dev.drydock.slingshot.node.UnservedNics;
import dev.drydock.slingshot.node.decide.HandlerAbsence;
import dev.drydock.slingshot.retry.decide.HandlerStep;
import dev.drydock.slingshot.retry.decide.HandlerView;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the handlers of all NICs share: the node's files, and how processes are started. */
final class NicHandlerContext {
  private static final Logger LOG = LoggerFactory.getLogger(NicHandlerContext.class);

  private final HandlerLauncher launcher;
  private final HandlerProcess.Starter starter;
  private final CrashAction policy;
  private final Events events;
  private final HostRoots roots;
  private final DriverUpdateMarker update;
  private final HandlerQuarantine quarantine;
  private final UnservedNics unserved;
  private final RunningRetryHandlers running;

  /**
   * What happens around a handler.
   *
   * @param wanted whether a NIC is to have a handler
   * @param wake called when a process has ended
   * @param forgotten called when a NIC needs no handler any more
   */
  record Events(Predicate<String> wanted, Consumer<String> wake, Consumer<String> forgotten) {}

  NicHandlerContext(
      HandlerLauncher launcher, HandlerProcess.Starter starter, CrashAction policy, Events events) {
    this.launcher = launcher;
    this.starter = starter;
    this.policy = policy;
    this.events = events;
    this.roots = launcher.roots();
    update = new DriverUpdateMarker(roots);
    quarantine = new HandlerQuarantine(roots);
    unserved = new UnservedNics(roots);
    running = new RunningRetryHandlers(roots);
  }

  CrashAction policy() {
    return policy;
  }

  HandlerProcess.Starter starter() {
    return starter;
  }

  void wake(String nic) {
    events.wake().accept(nic);
  }

  void forgotten(String nic) {
    events.forgotten().accept(nic);
  }

  HandlerView view(String nic, HandlerView.Child child, Optional<HandlerProcess> own) {
    return new HandlerView(
        events.wanted().test(nic),
        Files.exists(roots.device(nic)),
        update.isSet() ? update.reason().or(() -> Optional.of("unknown")) : Optional.empty(),
        quarantine.reason(nic),
        launcher.isThere(),
        elsewhere(nic, own),
        child);
  }

  /**
   * The handler that somebody else started before ours, such as a service of the node. It is seen
   * only with the process IDs of the node.
   */
  private Optional<String> elsewhere(String nic, Optional<HandlerProcess> own) {
    return Optional.ofNullable(running.all().get(nic))
        .filter(handler -> own.isEmpty() || own.get().pid() != handler.pid())
        .map(handler -> "process %d of the node serves it".formatted(handler.pid()));
  }

  void quarantine(String nic, String reason) throws IOException {
    quarantine.begin(nic, reason);
    markEnded(nic);
  }

  /** Tells the other programs on the node how the NIC stands. */
  void tell(String nic, HandlerStep.Standing standing) {
    try {
      if (standing.reason().serves()) {
        unserved.remove(nic);
      } else {
        unserved.add(nic, new HandlerAbsence(standing.reason().name(), standing.message()));
      }
    } catch (IOException failed) {
      LOG.warn("cannot say how {} stands: {}", nic, failed.toString());
    }
  }

  /** The handler has ended as it should, or what follows from its end was done. */
  void markEnded(String nic) {
    try {
      Files.deleteIfExists(launcher.mark(nic));
    } catch (IOException failed) {
      LOG.warn("cannot remove {}: {}", launcher.mark(nic), failed.toString());
    }
  }
}
