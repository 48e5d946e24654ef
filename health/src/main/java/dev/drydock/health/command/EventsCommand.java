package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.Ages;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.store.StoredEvent;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock events}: the stored health events. */
@Command(
    name = "events",
    addMethodSubcommands = false,
    description = {
      "Show stored health events and what was done about them.",
      "Oldest first. Reads the folder of an embedded store or of its copy."
    })
public final class EventsCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--from",
      paramLabel = "STORE|FILE",
      defaultValue = StoredEvents.DEFAULT,
      description =
          "The folder of an embedded store or of its copy, or a file with events in"
              + " JSON. Default: ${DEFAULT-VALUE}.")
  private Path from = Path.of(StoredEvents.DEFAULT);

  @Option(names = "--node", paramLabel = "NAME", description = "Only events of this node.")
  private @Nullable String node;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      description = "Only events of this time until now, such as 30m or 24h. Default: all.")
  private @Nullable Duration since;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    Instant now = Clock.systemUTC().instant();
    Optional<Instant> oldest = Optional.ofNullable(since).map(now::minus);
    if (since != null && since.isNegative()) {
      throw new CommandFailure("--since takes a duration such as 30m, not a negative one");
    }
    List<StoredEvent> events = new ArrayList<>();
    StoredEvents.read(
        from,
        event -> {
          boolean wanted =
              (node == null || node.equals(event.event().nodeName()))
                  && oldest.filter(event.createdAt()::isBefore).isEmpty();
          if (wanted) {
            events.add(event);
          }
        });
    List<ObjectNode> values = events.stream().map(StoredEvents::json).toList();
    output.print(terminal, values, wide -> print(terminal, events, wide, now));
    return ExitCode.OK;
  }

  private static void print(
      Terminal terminal, List<StoredEvent> events, boolean wide, Instant now) {
    if (events.isEmpty()) {
      terminal.err().println("No events found.");
      terminal.err().flush();
      return;
    }
    Table table =
        wide
            ? new Table(
                "AGE", "NODE", "CHECK", "STATE", "ACTION", "QUARANTINE", "DRAIN", "ID", "MESSAGE")
            : new Table("AGE", "NODE", "CHECK", "STATE", "ACTION", "QUARANTINE", "MESSAGE");
    for (StoredEvent stored : events) {
      HealthEvent event = stored.event();
      List<String> cells = new ArrayList<>();
      cells.add(Ages.between(stored.createdAt(), now));
      cells.add(event.nodeName());
      cells.add(event.checkName());
      cells.add(event.isHealthy() ? "healthy" : event.isFatal() ? "fatal" : "unhealthy");
      cells.add(event.effectiveAction());
      cells.add(stored.status().nodeQuarantined());
      if (wide) {
        cells.add(stored.status().userPodsEvictionStatus().status());
        cells.add(stored.id());
      }
      cells.add(event.message());
      table.row(cells.toArray());
    }
    table.print(terminal);
  }
}
