package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.Ages;
import dev.drydock.health.decide.BreakerScope;
import dev.drydock.health.quarantine.BreakerConfigMap;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock breaker status}: which breakers are tripped. */
@Command(
    name = "status",
    addMethodSubcommands = false,
    description = {
      "Show which breakers are tripped, and whether events wait for a reset.",
      "While a breaker is tripped, no further node is quarantined there; recovery goes on."
    })
final class BreakerStatusCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OperatorNamespaceOption operator = new OperatorNamespaceOption();
  @Mixin private OutputOption output = new OutputOption();

  /** One breaker. */
  record Entry(String scope, String status, @Nullable Instant since) {}

  /** What {@code status} says. */
  record Report(List<Entry> breakers, @Nullable Instant blockedSince, String cursor) {}

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      Report report = report(BreakerConfigMap.find(cluster.http(), operator.namespace()));
      output.print(terminal, report, _ -> print(terminal, report));
      return ExitCode.OK;
    }
  }

  private static Report report(Optional<BreakerConfigMap> map) {
    List<Entry> entries = new ArrayList<>();
    boolean tripped = map.filter(BreakerConfigMap::tripped).isPresent();
    entries.add(
        new Entry(
            BreakerScope.FLEET.toString(),
            tripped ? "TRIPPED" : "CLOSED",
            tripped ? map.get().trippedAt() : null));
    map.ifPresent(
        present ->
            present
                .scopes()
                .forEach(
                    (scope, since) -> entries.add(new Entry(scope.toString(), "TRIPPED", since))));
    return new Report(
        entries,
        map.flatMap(BreakerConfigMap::blockedSince).orElse(null),
        map.filter(BreakerConfigMap::create).isPresent() ? "CREATE" : "RESUME");
  }

  private static void print(Terminal terminal, Report report) {
    Instant now = Clock.systemUTC().instant();
    Table table = new Table("BREAKER", "STATUS", "SINCE");
    for (Entry entry : report.breakers()) {
      table.row(
          entry.scope(),
          entry.status(),
          entry.since() == null ? "" : Ages.between(entry.since(), now));
    }
    table.print(terminal);
    if (report.blockedSince() != null) {
      terminal
          .err()
          .println(
              "Events since %s were blocked; they are looked at again after: drydock breaker reset"
                  .formatted(report.blockedSince()));
    }
  }
}
