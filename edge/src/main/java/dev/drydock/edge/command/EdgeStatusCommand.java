package dev.drydock.edge.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainStatus;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.DrainHistory;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.PublishedFiles.UnusableFile;
import dev.drydock.edge.record.RefusedRequest;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.kube.Fields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock edge status}. */
@Command(
    name = "status",
    addMethodSubcommands = false,
    description = "Show the drain of this machine's node, and the operations that wait for it.")
final class EdgeStatusCommand implements Callable<Integer> {
  /** What {@code -o json} prints. */
  record Status(
      String status,
      String console,
      List<String> waits,
      List<String> refused,
      List<Operation> operations,
      List<DrainHistory.Entry> drains) {}

  record Operation(String operation, String context, String state, String message) {}

  @Spec private @Nullable CommandSpec spec;
  @Mixin private EdgeRootOptions roots = new EdgeRootOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--history", description = "Also show the last drains, at most 50.")
  private boolean history;

  private final PublishedFiles files = new PublishedFiles(new DiskFiles());

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    Status status = read(roots.paths());
    output.print(terminal, status, _ -> print(terminal, status));
    return ExitCode.OK;
  }

  private Status read(EdgePaths paths) {
    try {
      String text =
          files
              .read(paths.status())
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          "%s does not exist; start the agent with: drydock agent --parts edge"
                              .formatted(paths.status())));
      NodeDrainStatus status = EdgeRecords.status(text);
      return new Status(
          status.state().toString(),
          status.state().consoleLine().orElse(""),
          waits(paths),
          refused(paths),
          operations(paths),
          DrainHistory.read(files.read(paths.history()).orElse("")).entries());
    } catch (RecordUnreadable unreadable) {
      throw new CommandFailure(
          "%s cannot be read: %s".formatted(paths.status(), unreadable.getMessage()), unreadable);
    }
  }

  /** One record that cannot be read hides no other. */
  private static String unreadable(Path file, String why) {
    return "%s cannot be read: %s".formatted(file, why);
  }

  private List<String> waits(EdgePaths paths) {
    try {
      Optional<String> text = files.read(paths.progress());
      // EVE's own zedkube says nothing more
      return text.isEmpty() ? List.of() : Fields.list(EdgeRecords.read(text.get()).path("waits"));
    } catch (RecordUnreadable damaged) {
      return List.of(unreadable(paths.progress(), damaged.getMessage()));
    } catch (UnusableFile unusable) {
      return List.of(unusable.getMessage());
    }
  }

  private List<String> refused(EdgePaths paths) {
    List<String> lines = new ArrayList<>();
    for (EdgeOperation each : EdgeOperation.values()) {
      try {
        Optional<String> text = files.read(paths.refused(each));
        if (text.isPresent()) {
          lines.add(RefusedRequest.read(text.get()).line());
        }
      } catch (RecordUnreadable damaged) {
        lines.add(unreadable(paths.refused(each), damaged.getMessage()));
      } catch (UnusableFile unusable) {
        lines.add(unusable.getMessage());
      }
    }
    return lines;
  }

  private List<Operation> operations(EdgePaths paths) {
    List<Operation> operations = new ArrayList<>();
    for (EdgeOperation each : EdgeOperation.values()) {
      for (Path file : List.of(paths.operation(each), paths.asked(each))) {
        try {
          Optional<String> text = files.read(file);
          if (text.isPresent()) {
            var stored = StoredOperation.read(text.get());
            operations.add(
                new Operation(
                    each.word(), stored.context(), stored.state().name(), stored.message()));
          }
        } catch (RecordUnreadable damaged) {
          operations.add(
              new Operation(each.word(), "", "IGNORED", unreadable(file, damaged.getMessage())));
        } catch (UnusableFile unusable) {
          operations.add(new Operation(each.word(), "", "IGNORED", unusable.getMessage()));
        }
      }
    }
    return operations;
  }

  private void print(Terminal terminal, Status status) {
    terminal
        .out()
        .println(
            status.console().isEmpty() ? "Node Drain -> " + status.status() : status.console());
    status.waits().forEach(line -> terminal.out().println("waits: " + line));
    status.refused().forEach(terminal.out()::println);
    if (!status.operations().isEmpty()) {
      Table table = new Table("OPERATION", "FOR", "STATE", "MESSAGE");
      status
          .operations()
          .forEach(
              each -> table.row(each.operation(), each.context(), each.state(), each.message()));
      table.print(terminal);
    }
    if (history) {
      Table table = new Table("REQUESTED", "ENDED", "FOR", "STATUS", "HOW", "WHY");
      status
          .drains()
          .forEach(
              each ->
                  table.row(
                      each.requestedAt(),
                      each.endedAt(),
                      each.forWhat(),
                      each.status(),
                      each.how(),
                      each.why()));
      table.print(terminal);
    }
  }
}
