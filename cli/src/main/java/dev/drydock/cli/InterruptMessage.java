package dev.drydock.cli;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/** On Ctrl-C: prints the state of unfinished nodes, and what to do next. */
public final class InterruptMessage implements AutoCloseable {
  private final Terminal terminal;
  private final Function<Collection<String>, List<String>> words;
  private final Set<String> unfinished = new ConcurrentSkipListSet<>();
  private final WhenStopped hook;

  public InterruptMessage(Terminal terminal, Function<Collection<String>, List<String>> words) {
    this.terminal = terminal;
    this.words = words;
    this.hook = new WhenStopped(this::explain);
  }

  public void begun(String node) {
    unfinished.add(node);
  }

  public void ended(String node) {
    unfinished.remove(node);
  }

  private void explain() {
    if (unfinished.isEmpty()) {
      return;
    }
    terminal.err().println();
    words.apply(unfinished).forEach(terminal.err()::println);
  }

  @Override
  public void close() {
    hook.close();
  }
}
