package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.drain.stop.decide.StopAnswers;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.net.HttpURLConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock stop}: pulls the andon cord. */
@Command(
    name = "stop",
    addMethodSubcommands = false,
    description = {
      "Pull the andon cord: nothing new starts in the cluster.",
      "No node is taken out of service, no pod evicted, no Job started. Releasing, uncordoning and"
          + " cancelling always work, and work in progress continues: terminating pods, running"
          + " Jobs.",
      "Pulling it again with --reason changes the reason. To continue: drydock resume"
    })
public final class StopCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OperatorNamespaceOption cord = new OperatorNamespaceOption();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description =
          "The reason, shown to everyone who is affected. Default: none, or that of the stop in force.")
  private String reason = "";

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "How long to wait until all operators and agents have seen it; those that have not are"
              + " named, and the exit code is 1. Default: ${DEFAULT-VALUE}.")
  private Duration wait = Duration.ofSeconds(10);

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      AndonCord pulled = new AndonCord(cluster, cord.namespace());
      var _ = pulled.pull("user/" + System.getProperty("user.name"), reason);
      terminal.out().println("stopped; nothing new starts until: drydock resume");
      return pulled.version().map(version -> seen(terminal, cluster, version)).orElse(ExitCode.OK);
    } catch (ApiFailure failure) {
      if (failure.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        throw new CommandFailure(
            "namespace %s does not exist; set --operator-namespace to the operator's namespace, or if there is no operator yet, run: kubectl create namespace %1$s"
                .formatted(cord.namespace()));
      }
      throw failure;
    }
  }

  /** The stop counts only for those who have seen it. */
  private int seen(Terminal terminal, Kube cluster, String version) {
    StopAnswers answer = StopWitnesses.await(cluster, cord.namespace(), version, wait);
    answer
        .unknown()
        .ifPresent(
            why ->
                terminal
                    .err()
                    .println(
                        "Warning: cannot tell who has seen it, as Leases cannot be read: " + why));
    answer.missing().forEach(line -> terminal.err().println("has not seen it: " + line));
    answer.gone().forEach(line -> terminal.err().println("seems to be gone: " + line));
    if (!answer.missing().isEmpty()) {
      terminal.err().println("next: end these processes, or check again with: drydock stop");
    }
    if (answer.seen() > 0) {
      terminal.out().println("operators and agents that have seen it: " + answer.seen());
    }
    return answer.missing().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
