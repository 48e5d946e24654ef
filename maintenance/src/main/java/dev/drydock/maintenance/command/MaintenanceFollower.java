package dev.drydock.maintenance.command;

import dev.drydock.cli.InterruptMessage;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.GoDuration;
import dev.drydock.maintenance.command.MaintenanceProgress.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Follows maintenances for a person: progress on standard error, results on standard output. */
final class MaintenanceFollower {
  /** A running operator responds within this time. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final Terminal terminal;
  private final MaintenanceWatcher watcher;
  private final MaintenanceRequest request;
  private final Map<String, String> nodeByName = new LinkedHashMap<>();
  private final Map<String, Ending> failures = new LinkedHashMap<>();

  MaintenanceFollower(
      Terminal terminal,
      MaintenanceWatcher watcher,
      MaintenanceRequest request,
      List<String> nodes) {
    this.terminal = terminal;
    this.watcher = watcher;
    this.request = request;
    nodes.forEach(node -> nodeByName.put(request.name(node), node));
  }

  /**
   * Follows until all have ended.
   *
   * @param timeout zero for none
   */
  int keep(Duration timeout) throws InterruptedException {
    Set<String> pending = new LinkedHashSet<>(nodeByName.keySet());
    Duration most = timeout.isZero() ? FOR_EVER : timeout;
    try (InterruptMessage interruption = new InterruptMessage(terminal, this::interrupted)) {
      nodeByName.values().forEach(interruption::begun);
      MaintenanceWatcher.Listener listener = listener(interruption);
      Duration patience = PATIENCE.compareTo(most) < 0 ? PATIENCE : most;
      watcher.follow(pending, listener, patience);
      tellNotServed(pending);
      watcher.follow(pending, listener, most.minus(patience));
      pending.forEach(name -> interruption.ended(node(name)));
    }
    if (!pending.isEmpty()) {
      throw new CommandFailure(timedOut(pending, timeout));
    }
    return result();
  }

  /** As given: a timeout may be less than a second. */
  private static String words(Duration timeout) {
    return timeout.compareTo(Duration.ofSeconds(1)) < 0
        ? timeout.toMillis() / 1e3 + "s"
        : GoDuration.words(timeout);
  }

  private String node(String name) {
    return nodeByName.getOrDefault(name, name);
  }

  private MaintenanceWatcher.Listener listener(InterruptMessage interruption) {
    return new MaintenanceWatcher.Listener() {
      @Override
      public void news(List<String> lines) {
        lines.forEach(terminal.err()::println);
        terminal.err().flush();
      }

      @Override
      public void ended(String name, Ending ending) {
        interruption.ended(node(name));
        tell(name, ending);
      }
    };
  }

  private void tell(String name, Ending ending) {
    if (ending.done()) {
      terminal.out().println(ending.line());
      terminal.out().flush();
      return;
    }
    failures.put(name, ending);
    if (!ending.log().isEmpty()) {
      terminal.err().println("node/%s the end of the log:".formatted(node(name)));
      ending.log().forEach(line -> terminal.err().println("  " + line));
    }
    if (nodeByName.size() > 1) {
      terminal.err().println("error: " + ending.line());
    }
    terminal.err().flush();
  }

  private void tellNotServed(Set<String> pending) {
    List<String> alone = watcher.notServed(pending);
    if (!alone.isEmpty()) {
      terminal
          .err()
          .println(
              "no operator has taken up NotifyMaintenance %s yet; is 'drydock operator' running? Waiting for it."
                  .formatted(String.join(" ", alone)));
      terminal.err().flush();
    }
  }

  private List<String> interrupted(Collection<String> unfinished) {
    List<String> left = List.copyOf(unfinished);
    return List.of(
        "Interrupted: the maintenance of %s continues. Follow it again with the same command;"
            .formatted(String.join(" ", left)),
        "cancel with: " + request.deletion(left));
  }

  private String timedOut(Set<String> pending, Duration timeout) {
    List<String> waits = new ArrayList<>();
    for (String name : pending) {
      String why = watcher.waitsFor(name);
      waits.add("node/" + node(name) + (why.isEmpty() ? "" : " waits: " + why));
    }
    return "not back after %s: %s; it continues. Follow it again with the same command, or cancel with: %s"
        .formatted(
            words(timeout),
            String.join("; ", waits),
            request.deletion(pending.stream().map(this::node).toList()));
  }

  private int result() {
    if (failures.isEmpty()) {
      return ExitCode.OK;
    }
    if (nodeByName.size() == 1) {
      throw new CommandFailure(failures.values().iterator().next().line());
    }
    throw new CommandFailure(
        "%d of %d nodes are not back: %s; next: see what is said above"
            .formatted(
                failures.size(),
                nodeByName.size(),
                String.join(" ", failures.keySet().stream().map(this::node).toList())));
  }
}
