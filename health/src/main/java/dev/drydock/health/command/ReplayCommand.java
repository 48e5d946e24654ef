package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.QuarantineReplay;
import dev.drydock.health.operator.QuarantineSettings;
import dev.drydock.health.rules.EventVariables;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock health replay}: what rules would have done to past events. */
@Command(
    name = "replay",
    addMethodSubcommands = false,
    description = {
      "Show what rules and breakers would have done to past events. Changes nothing.",
      "Nodes that the events name are taken for healthy at the beginning."
    })
public final class ReplayCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description = "The rules to try, in TOML. Default: the rules that come with Drydock.")
  private @Nullable Path rules;

  @Option(
      names = "--from",
      paramLabel = "STORE|FILE",
      defaultValue = StoredEvents.DEFAULT,
      description =
          "The events: the folder of an embedded store or of its copy, a file with events in JSON, as"
              + " 'drydock events -o json' prints them, or postgresql or mongodb, as the variables of"
              + " the operator say. Default: ${DEFAULT-VALUE}.")
  private Path from = Path.of(StoredEvents.DEFAULT);

  @Option(
      names = "--nodes",
      paramLabel = "FILE",
      description =
          "The nodes, as 'kubectl get nodes -o json' prints them: for rules on nodes, and to count"
              + " the fleet. Default: the nodes that the events name, without labels.")
  private @Nullable Path nodes;

  private record KnownNode(Map<String, String> labels, Map<String, Object> variables) {}

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    QuarantineRules parsed = readRules();
    Map<String, KnownNode> known = readNodes();
    List<StoredEvent> events = new ArrayList<>();
    Set<String> named = new LinkedHashSet<>();
    StoredEvents.read(
        from,
        System.getenv(),
        event -> {
          events.add(event);
          named.add(event.event().nodeName());
        });
    QuarantineReplay replay = replay(parsed, known, named);
    events.forEach(event -> replay.see(event.event(), event.createdAt()));
    QuarantineReplay.Report report = replay.report();
    output.print(terminal, report, _ -> print(terminal, report));
    return ExitCode.OK;
  }

  private QuarantineRules readRules() {
    try {
      return rules == null ? RuleFile.shipped() : RuleFile.read(rules);
    } catch (ConfigFileInvalid invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
  }

  private Map<String, KnownNode> readNodes() {
    Map<String, KnownNode> known = new HashMap<>();
    if (nodes == null) {
      return known;
    }
    try {
      for (JsonNode node : Json.read(Files.readString(nodes)).path("items")) {
        JsonNode metadata = node.path("metadata");
        known.put(
            metadata.path("name").asText(""),
            new KnownNode(
                Map.copyOf(Fields.texts(metadata.path("labels"))),
                EventVariables.ofNode(metadata, node.path("spec"))));
      }
      return known;
    } catch (IOException unreadable) {
      throw new CommandFailure(
          "%s: not a list of nodes: %s".formatted(nodes, unreadable.getMessage()), unreadable);
    }
  }

  private static QuarantineReplay replay(
      QuarantineRules rules, Map<String, KnownNode> known, Set<String> named) {
    KnownNode plain = new KnownNode(Map.of(), EventVariables.ofNode(Json.object(), Json.object()));
    List<Map<String, String>> labels =
        known.isEmpty()
            ? named.stream().map(_ -> Map.<String, String>of()).toList()
            : known.values().stream().map(KnownNode::labels).toList();
    return new QuarantineReplay(
        rules.edits(),
        rules.breaker(),
        Fleet.of(
            labels,
            QuarantineSettings.GPU_NODES.key(),
            QuarantineSettings.GPU_NODES.value(),
            rules.breaker()),
        (HealthEvent event) ->
            rules.matching(
                event, known.getOrDefault(event.nodeName(), plain).variables(), (_, _) -> {}),
        name -> known.getOrDefault(name, plain).labels());
  }

  private static void print(Terminal terminal, QuarantineReplay.Report report) {
    Table table = new Table("WHAT", "VALUE");
    table.row("events", String.valueOf(report.events()));
    table.row("quarantines", String.valueOf(report.quarantines()));
    table.row("recoveries", String.valueOf(report.recoveries()));
    table.row("nodes cordoned", String.valueOf(report.nodes().size()));
    table.row("still cordoned at the end", String.valueOf(report.stillCordoned().size()));
    table.row(
        "node-minutes out of service", String.format(Locale.ROOT, "%.1f", report.nodeMinutes()));
    table.row("blocked by a breaker", String.valueOf(report.blocked()));
    table.row("slowed down by a breaker", String.valueOf(report.slowed()));
    report.byRule().forEach((rule, count) -> table.row("by rule " + rule, String.valueOf(count)));
    table.print(terminal);
    for (QuarantineReplay.Trip trip : report.trips()) {
      terminal
          .out()
          .println(
              "%s breaker %s trips: %d of at most %d nodes"
                  .formatted(trip.at(), trip.scope(), trip.recent(), trip.threshold()));
    }
  }
}
