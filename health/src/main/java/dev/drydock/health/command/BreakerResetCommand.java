package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.health.decide.BreakerScope;
import dev.drydock.health.quarantine.BreakerConfigMap;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock breaker reset}: closes tripped breakers. */
@Command(
    name = "reset",
    addMethodSubcommands = false,
    description = {
      "Close tripped breakers. Needs no restart.",
      "Events that were blocked are looked at again, except those that later events have cleared."
    })
final class BreakerResetCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OperatorNamespaceOption operator = new OperatorNamespaceOption();

  @Option(names = "--skip-blocked", description = "Leave out the events that were blocked.")
  private boolean skip;

  @Parameters(
      arity = "0..1",
      paramLabel = "BREAKER",
      description = "Only this one, as 'drydock breaker status' names it. Default: all.")
  private @Nullable String name;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    Optional<BreakerScope> scope =
        Optional.ofNullable(name)
            .map(
                text ->
                    BreakerScope.find(text)
                        .orElseThrow(
                            () ->
                                new CommandFailure(
                                    "no breaker is called \"%s\"; see: drydock breaker status"
                                        .formatted(text))));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      String namespace = operator.namespace();
      boolean[] wasTripped = {false};
      var _ =
          Patch.retrying(
              "ConfigMap " + BreakerConfigMap.NAME,
              () -> {
                BreakerConfigMap map =
                    BreakerConfigMap.find(cluster.http(), namespace)
                        .orElseThrow(
                            () ->
                                new CommandFailure(
                                    "no ConfigMap %s in namespace %s: has an operator with"
                                            .formatted(BreakerConfigMap.NAME, namespace)
                                        + " part fault-quarantine run? See --operator-namespace"));
                wasTripped[0] =
                    scope
                        .map(one -> map.allTripped().containsKey(one))
                        .orElse(!map.allTripped().isEmpty());
                return map.reset(cluster.http(), scope, skip);
              });
      terminal.out().println(wasTripped[0] ? "reset" : "nothing was tripped");
      return ExitCode.OK;
    }
  }
}
