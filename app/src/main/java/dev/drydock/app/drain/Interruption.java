package dev.drydock.app.drain;

import dev.drydock.cli.Terminal;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** On Ctrl-C: says what state the nodes are left in, how to go on and how to back out. */
final class Interruption implements AutoCloseable {
  private final Terminal terminal;
  private final HolderOptions holder;
  private final Set<String> unfinished = new ConcurrentSkipListSet<>();
  private final Thread hook = Thread.ofPlatform().unstarted(this::explain);

  Interruption(Terminal terminal, HolderOptions holder) {
    this.terminal = terminal;
    this.holder = holder;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  void begun(String node) {
    unfinished.add(node);
  }

  void ended(String node) {
    unfinished.remove(node);
  }

  private void explain() {
    if (unfinished.isEmpty()) {
      return;
    }
    String nodes = String.join(" ", unfinished);
    terminal
        .err()
        .printf(
            "%nInterrupted: %s stay%s cordoned, held by %s.%n",
            nodes, unfinished.size() == 1 ? "s" : "", holder.holder());
    terminal
        .err()
        .println(
            "Go on with the same command; back out with: drydock uncordon "
                + nodes
                + holder.flag());
    terminal.err().flush();
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // the program is being stopped, and the hook is at work
    }
  }
}
