package dev.drydock.app.operator;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.CrdCatalog;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock operator}: the process that serves the cluster, in it or beside it. */
@Command(
    name = "operator",
    addMethodSubcommands = false,
    description = {
      "Serve the cluster until stopped: maintenances, campaigns, drains.",
      "Sees NotifyMaintenances through, drains nodes for DrainRequests, ends holds whose time is over.",
      "Several may run; the one that holds the Lease drydock-operator in --namespace works, the others stand by.",
      "Needs the resource definitions: drydock crds | kubectl apply -f -"
    })
public final class OperatorCommand implements DrydockCommand {
  private final Map<String, String> environment;
  private final Path usualFile;
  private @Nullable CommandSpec spec;

  @Mixin private KubeOptions kube = new KubeOptions();

  @Option(
      names = ConfigReader.FILE_FLAG,
      paramLabel = "FILE",
      description =
          "The settings, in YAML. A flag counts before a variable, that before the file."
              + " Default: $DRYDOCK_CONFIG, then /etc/config/notifyMaintenanceConfig.yaml if it exists.")
  private @Nullable Path file;

  @Option(
      names = "--print-config",
      description = "Print all settings as YAML, and where each comes from; contacts nobody.")
  private boolean printConfig;

  public OperatorCommand() {
    this(System.getenv(), ConfigReader.USUAL_FILE);
  }

  OperatorCommand(Map<String, String> environment, Path usualFile) {
    this.environment = environment;
    this.usualFile = usualFile;
  }

  /** Also gives the command a flag for every setting. */
  @Spec
  void spec(CommandSpec own) {
    spec = own;
    ConfigFlags.addTo(own);
  }

  @Override
  public Integer call() {
    CommandSpec own = requireNonNull(spec);
    EffectiveConfig effective =
        ConfigReader.read(
            new ConfigReader.Given(
                ConfigFlags.given(own), environment, Optional.ofNullable(file), usualFile));
    if (printConfig) {
      Terminal terminal = Terminal.of(own);
      terminal.out().print(effective.yaml());
      terminal.out().flush();
      return ExitCode.OK;
    }
    CommandLogging.talk();
    serve(effective.config());
    return ExitCode.OK;
  }

  private void serve(OperatorConfig config) {
    try (KubeConnection connection = kube.connect(environment.get("NAMESPACE"))) {
      KubernetesClient client = connection.client();
      requireDefinitions(client);
      String namespace = client.getNamespace();
      AtomicBoolean leading = new AtomicBoolean();
      try (OperatorServices services =
          new OperatorServices(client, namespace, config, leading::get)) {
        services.start();
        Operator operator =
            new Operator(
                client,
                namespace,
                identity(),
                engine -> {
                  leading.set(true);
                  LeaderControllers controllers =
                      new LeaderControllers(client, namespace, config, services, engine);
                  controllers.start();
                  return () -> {
                    leading.set(false);
                    controllers.close();
                  };
                });
        Thread stop = Thread.ofPlatform().unstarted(() -> stop(operator, services));
        Runtime.getRuntime().addShutdownHook(stop);
        if (config.leaderElect()) {
          operator.leadWhenElected();
        } else {
          operator.lead();
          operator.awaitClose();
        }
      }
    }
  }

  /** The Lease first: the next one can begin while questions are still answered here. */
  private static void stop(Operator operator, OperatorServices services) {
    operator.close();
    services.close();
  }

  /** Told at once, rather than by requests that nobody ever answers. */
  private static void requireDefinitions(KubernetesClient client) {
    for (Class<? extends CustomResource<?, ?>> kind : CrdCatalog.KINDS) {
      try {
        var _ =
            client
                .resources(kind)
                .inAnyNamespace()
                .list(new ListOptionsBuilder().withLimit(1L).build());
      } catch (KubernetesClientException e) {
        if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
          throw new CommandFailure(
              "this cluster does not know %ss; first run: drydock crds | kubectl apply -f -"
                  .formatted(HasMetadata.getKind(kind)));
        }
        throw e;
      }
    }
  }

  /** In a cluster the pod's name, so that people see which one leads. */
  private String identity() {
    return environment.getOrDefault("HOSTNAME", "drydock") + "_" + UUID.randomUUID();
  }
}
