package dev.drydock.app.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock operator}: the process that serves the cluster, in it or beside it. */
@Command(
    name = "operator",
    addMethodSubcommands = false,
    description = {
      "Serve the cluster until stopped: drain nodes for DrainRequests, and end holds whose time is over.",
      "Several may run; the one that holds the Lease drydock-operator in --namespace works, the others stand by.",
      "Needs the resource definitions: drydock crds | kubectl apply -f -"
    })
public final class OperatorCommand implements DrydockCommand {
  @Mixin private KubeOptions kube = new KubeOptions();

  @Option(
      names = "--leader-elect",
      paramLabel = "true|false",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description = "Work only while holding the Lease. Default: true.")
  private boolean leaderElect = true;

  @Override
  public Integer call() {
    CommandLogging.talk();
    try (KubeConnection connection = kube.connect()) {
      KubernetesClient client = connection.client();
      requireDefinitions(client);
      Operator operator = new Operator(client, client.getNamespace(), identity());
      Thread stop = Thread.ofPlatform().unstarted(operator::close);
      Runtime.getRuntime().addShutdownHook(stop);
      if (leaderElect) {
        operator.leadWhenElected();
      } else {
        operator.lead();
        operator.awaitClose();
      }
    }
    return ExitCode.OK;
  }

  /** Told at once, rather than by requests that nobody ever answers. */
  private static void requireDefinitions(KubernetesClient client) {
    try {
      var _ =
          client
              .resources(DrainRequest.class)
              .inAnyNamespace()
              .list(new ListOptionsBuilder().withLimit(1L).build());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        throw new CommandFailure(
            "this cluster does not know DrainRequests; first run: drydock crds | kubectl apply -f -");
      }
      throw e;
    }
  }

  /** In a cluster the pod's name, so that people see which one leads. */
  private static String identity() {
    String host = Optional.ofNullable(System.getenv("HOSTNAME")).orElse("drydock");
    return host + "_" + UUID.randomUUID();
  }
}
