package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputFormat;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.Ages;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.eventlog.StoredEventJson;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
      "Oldest first. Asks the operator that leads, through the API server if it runs in the cluster."
    })
public final class EventsCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OperatorNamespaceOption operator = new OperatorNamespaceOption();
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--from",
      paramLabel = "STORE|FILE",
      description =
          "Read the folder of an embedded store or of its copy, a file with events in JSON, or"
              + " postgresql or mongodb, as the variables of the operator say, instead.")
  private @Nullable Path from;

  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      description = "Ask the operator that answers there, as its eventLog.address says, instead.")
  private @Nullable String address;

  @Option(names = "--node", paramLabel = "NAME", description = "Only events of this node.")
  private @Nullable String node;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      description = "Only events of this time until now, such as 30m or 24h. Default: all.")
  private @Nullable Duration since;

  @Option(
      names = {"-w", "--watch"},
      description = "Then show each event that is new or whose state changes, until Ctrl-C.")
  private boolean watch;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (since != null && since.isNegative()) {
      throw CommandFailure.usage("--since takes a duration such as 30m, not a negative one");
    }
    Path source = from;
    String place = address;
    if (source != null && (watch || place != null)) {
      throw CommandFailure.usage("--from reads what is there; leave out -w and --address");
    }
    if (source != null) {
      list(
          terminal,
          events ->
              StoredEvents.read(source, System.getenv(), event -> addIfWanted(event, events)));
    } else if (place != null) {
      try (OperatorEvents events = OperatorEvents.at(place)) {
        show(terminal, events);
      }
    } else {
      try (KubeConnection connection = kube.connect();
          OperatorEvents events = OperatorEvents.of(connection, operator.namespace())) {
        show(terminal, events);
      }
    }
    return ExitCode.OK;
  }

  private void addIfWanted(StoredEvent event, List<StoredEvent> events) {
    boolean ofNode = node == null || node.equals(event.event().nodeName());
    if (ofNode && oldest().filter(event.createdAt()::isBefore).isEmpty()) {
      events.add(event);
    }
  }

  private Optional<Instant> oldest() {
    return Optional.ofNullable(since).map(now()::minus);
  }

  private static Instant now() {
    return Clock.systemUTC().instant();
  }

  private void show(Terminal terminal, OperatorEvents events) {
    if (watch) {
      output.choose(
          terminal,
          wide -> follow(terminal, events, new Rows(terminal, wide)::print),
          format -> follow(terminal, events, event -> document(terminal, format, event)));
    } else {
      list(terminal, all -> events.read(Optional.ofNullable(node), oldest(), all::add));
    }
  }

  private void follow(Terminal terminal, OperatorEvents events, Consumer<StoredEvent> printer) {
    events.watch(
        Optional.ofNullable(node),
        oldest(),
        event -> {
          printer.accept(event);
          terminal.out().flush();
          return !terminal.outLost();
        });
  }

  /** One document for each, so that a reader need not wait for an end. */
  private static void document(Terminal terminal, OutputFormat format, StoredEvent event) {
    if (format == OutputFormat.yaml) {
      terminal.out().println("---");
    }
    terminal.out().print(OutputOption.text(format, StoredEventJson.write(event)));
  }

  private void list(Terminal terminal, Consumer<List<StoredEvent>> reader) {
    List<StoredEvent> events = new ArrayList<>();
    reader.accept(events);
    output.print(
        terminal,
        events.stream().map(StoredEventJson::write).toList(),
        wide -> print(terminal, events, wide));
  }

  static void print(Terminal terminal, List<StoredEvent> events, boolean wide) {
    if (events.isEmpty()) {
      terminal.err().println("No events found.");
      return;
    }
    Table table = new Table(headings(wide));
    Instant now = now();
    events.forEach(event -> table.row(cells(event, wide, now)));
    table.print(terminal);
  }

  private static String[] headings(boolean wide) {
    return wide
        ? new String[] {
          "AGE", "NODE", "CHECK", "STATE", "ACTION", "QUARANTINE", "DRAIN", "ID", "MESSAGE"
        }
        : new String[] {"AGE", "NODE", "CHECK", "STATE", "ACTION", "QUARANTINE", "MESSAGE"};
  }

  private static Object[] cells(StoredEvent stored, boolean wide, Instant now) {
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
    return cells.toArray();
  }

  /** Prints a row when it comes, below a heading. */
  private static final class Rows {
    private final Terminal terminal;
    private final boolean wide;
    private boolean begun;

    Rows(Terminal terminal, boolean wide) {
      this.terminal = terminal;
      this.wide = wide;
    }

    void print(StoredEvent event) {
      List<String> lines =
          new Table(headings(wide))
              .row(cells(event, wide, now()))
              .lines(terminal.liveOut() ? terminal.columns() : 0);
      lines.subList(begun ? 1 : 0, lines.size()).forEach(terminal.out()::println);
      begun = true;
    }
  }
}
