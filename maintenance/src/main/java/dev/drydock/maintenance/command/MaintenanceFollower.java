package dev.drydock.maintenance.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.InterruptMessage;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import dev.drydock.contracts.GoDuration;
import dev.drydock.maintenance.command.MaintenanceProgress.Ending;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.command.ObjectFollower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows maintenances for a person: progress on standard error, results on standard output. */
final class MaintenanceFollower implements ObjectFollower.Listener<NotifyMaintenanceObject> {
  /** A running operator responds within this time. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Terminal terminal;
  private final RequestedMaintenance request;
  private final Map<String, String> nodeByName = new LinkedHashMap<>();
  private final Map<String, Ending> failures = new LinkedHashMap<>();
  private final Map<String, NotifyMaintenanceObject> told = new HashMap<>();
  private final InterruptMessage interruption;

  MaintenanceFollower(Terminal terminal, RequestedMaintenance request, List<String> nodes) {
    this.terminal = terminal;
    this.request = request;
    nodes.forEach(node -> nodeByName.put(request.name(node), node));
    interruption = new InterruptMessage(terminal, this::interrupted);
  }

  /**
   * Follows until all have ended.
   *
   * @param timeout zero for none
   */
  int keep(ObjectFollower<NotifyMaintenanceObject> follower, Duration timeout)
      throws InterruptedException {
    boolean impatient = !timeout.isZero() && timeout.compareTo(TIMEOUT) < 0;
    Set<String> pending;
    try (interruption) {
      nodeByName.values().forEach(interruption::begun);
      pending = follower.follow(this, impatient ? timeout : TIMEOUT, timeout);
    }
    if (!pending.isEmpty()) {
      throw new CommandFailure(timedOut(pending, timeout));
    }
    return result();
  }

  /** The timeout as given, because it may be less than a second. */
  private static String words(Duration timeout) {
    return timeout.compareTo(Duration.ofSeconds(1)) < 0
        ? timeout.toMillis() / 1e3 + "s"
        : GoDuration.words(timeout);
  }

  private String node(String name) {
    return nodeByName.getOrDefault(name, name);
  }

  @Override
  public boolean look(String name, @Nullable NotifyMaintenanceObject last, boolean exists) {
    if (last == null) {
      return false;
    }
    MaintenanceProgress.news(told.put(name, last), last)
        .forEach(line -> TextLines.printError(terminal, line));
    Optional<Ending> ending = MaintenanceProgress.ending(last, !exists);
    ending.ifPresent(
        how -> {
          interruption.ended(node(name));
          print(name, how);
        });
    return ending.isPresent();
  }

  private void print(String name, Ending ending) {
    if (ending.done()) {
      terminal.out().println(ending.line());
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
  }

  /** Names those that no operator has processed. */
  @Override
  public void late(Set<String> pending) {
    List<String> alone =
        pending.stream().filter(name -> !isServed(told.get(name))).sorted().toList();
    if (!alone.isEmpty()) {
      terminal
          .err()
          .println(
              "no operator has taken up NotifyMaintenance %s yet; is 'drydock operator' running? Waiting for it."
                  .formatted(String.join(" ", alone)));
    }
  }

  private static boolean isServed(@Nullable NotifyMaintenanceObject seen) {
    return seen != null && (seen.facts().finalizer() || seen.facts().isOver());
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
      NotifyMaintenanceObject seen = told.get(name);
      String why = seen == null ? "" : MaintenanceProgress.waitsFor(seen);
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
