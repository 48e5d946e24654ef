package dev.drydock.app.history;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.NodeNameCandidates;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.command.ExistenceCheck;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Source;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.maintenance.command.MaintenanceRequest;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock history}: shows what happened to a node, step by step. */
@Command(
    name = "history",
    addMethodSubcommands = false,
    description = {
      "Show the history of a node's maintenances, oldest step first.",
      "Shows for each step the time since the previous one, and what the node waited for.",
      "Includes ended maintenances as long as their objects or Events exist."
    })
public final class HistoryCommand implements DrydockCommand {
  private static final int PAGE_SIZE = 500;

  private static final Source DRAINS =
      new Source("/apis/" + DrainRequest.GROUP + "/" + DrainRequest.VERSION + "/drainrequests", "");

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "NODE",
      completionCandidates = NodeNameCandidates.class,
      description = "The name of the node.")
  private String node = "";

  @Option(names = "--id", paramLabel = "ID", description = "Only the maintenance with this ID.")
  private @Nullable String id;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    String name = node.replaceFirst("^(nodes?|no)/", "");
    try (KubeConnection connection = kube.connect();
        KubeHttp http = new KubeHttp(connection.client(), RequestInterceptor.NONE, PAGE_SIZE)) {
      List<String> notes = new ArrayList<>();
      NodeHistory history =
          new NodeHistory(name, Clock.systemUTC().instant(), records(http, name, notes));
      List<HistoryStep> steps =
          id == null ? history.whole() : history.of(id, MaintenanceRequest.name(id, name));
      if (steps.isEmpty()) {
        // a deleted node may have a history; an unknown one is mistyped
        var _ = new ExistenceCheck(http).requireNodes(List.of(name));
        if (id != null) {
          throw new CommandFailure(
              "there is no maintenance %s of node %s; see all of them: drydock history %2$s"
                  .formatted(id, name));
        }
      }
      output.print(terminal, steps, wide -> print(terminal, name, steps));
      notes.forEach(note -> terminal.err().println("Note: " + note));
      terminal.err().flush();
    }
    return ExitCode.OK;
  }

  private static NodeHistory.Records records(KubeHttp http, String node, List<String> notes) {
    NodeHistory.Records records =
        new NodeHistory.Records(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    note(
        notes,
        "NotifyMaintenances",
        http,
        new Source(NotifyMaintenanceObject.allPath(), ""),
        object -> records.maintenances().add(NotifyMaintenanceObject.read(object)));
    note(notes, "DrainRequests", http, DRAINS, records.drains()::add);
    note(
        notes,
        "Nodes",
        http,
        new Source("/api/v1/nodes", "fieldSelector=" + ApiCall.encode("metadata.name=" + node)),
        object ->
            records
                .transitions()
                .addAll(
                    TransitionHistory.read(LifecycleNodeObject.read(object).history()).entries()));
    Consumer<JsonNode> event = object -> records.events().add(RecordedEvent.read(object));
    note(notes, "Events of the node", http, events("Node", node), event);
    note(notes, "Events of maintenances", http, events(NotifyMaintenance.KIND, ""), event);
    return records;
  }

  private static Source events(String kind, String name) {
    String selector =
        "involvedObject.kind=" + kind + (name.isEmpty() ? "" : ",involvedObject.name=" + name);
    return new Source("/api/v1/events", "fieldSelector=" + ApiCall.encode(selector));
  }

  /** A kind that is not installed has no entries; one that may not be read is missing. */
  private static void note(
      List<String> notes, String what, KubeHttp http, Source source, Consumer<JsonNode> reader) {
    KubeAnswer answer = http.list(source, reader);
    if (answer.code() == HttpURLConnection.HTTP_FORBIDDEN) {
      notes.add(what + " are not included: " + answer.message());
    } else if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = answer.orThrow("list of " + what);
    }
  }

  private static void print(Terminal terminal, String node, List<HistoryStep> steps) {
    if (steps.isEmpty()) {
      terminal.err().println("There are no maintenances of node " + node + ".");
      terminal.err().flush();
      return;
    }
    HistoryText.lines(steps, terminal.liveOut() ? terminal.columns() - 1 : 0)
        .forEach(terminal.out()::println);
  }
}
