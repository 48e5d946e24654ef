package dev.drydock.app.operator;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.command.CordOptions;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Features;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      description =
          "Only these parts, separated by commas: ${COMPLETION-CANDIDATES}."
              + " Default: all whose resource definitions the cluster has.",
      completionCandidates = PartNames.class)
  private List<String> parts = List.of();

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
    ConfigFlags.addTo(own, ConfigReader.known());
  }

  @Override
  public Integer call() {
    CommandSpec own = requireNonNull(spec);
    Features named = parts.isEmpty() ? Features.load() : Features.load().only(parts);
    if (printConfig) {
      Terminal terminal = Terminal.of(own);
      terminal.out().print(config(named).yaml());
      terminal.out().flush();
      return ExitCode.OK;
    }
    // Mistakes are told before anybody is contacted. What only some parts need is asked for when
    // it is known which parts are on.
    var _ = config(named, parts.isEmpty() ? new Features(List.of()) : named);
    CommandLogging.talk();
    serve(named);
    return ExitCode.OK;
  }

  private EffectiveConfig config(Features on) {
    return config(on, on);
  }

  /**
   * Reads the settings.
   *
   * @param certain those whose settings must be complete
   */
  private EffectiveConfig config(Features on, Features certain) {
    return ConfigReader.read(
        new ConfigReader.Given(
            ConfigFlags.given(requireNonNull(spec), ConfigReader.known()),
            environment,
            Optional.ofNullable(file),
            usualFile),
        on,
        certain);
  }

  private void serve(Features wanted) {
    try (KubeConnection connection =
            kube.connect(environment.getOrDefault("NAMESPACE", CordOptions.DEFAULT_NAMESPACE));
        Kube own =
            new Kube(
                new KubeHttp(connection.client(), RequestInterceptor.NONE, KubeHttp.PAGE_SIZE),
                TimeSource.REAL)) {
      Features on = on(wanted, own.http());
      Operator.Setup setup =
          new Operator.Setup(
              connection.client(),
              RequestInterceptor.NONE,
              connection.client().getNamespace(),
              identity(),
              config(on).settings(),
              on);
      try (Operator operator = new Operator(setup, own);
          OperatorServices services = new OperatorServices(operator)) {
        services.start();
        Thread stop = Thread.ofPlatform().unstarted(() -> stop(operator, services));
        Runtime.getRuntime().addShutdownHook(stop);
        if (setup.settings().get(CoreSettings.LEADER_ELECT)) {
          operator.leadWhenElected();
        } else {
          operator.lead();
          operator.awaitClose();
        }
      }
    }
  }

  private Features on(Features wanted, KubeHttp http) {
    InstalledParts installed = new InstalledParts(http);
    if (parts.isEmpty()) {
      return installed.among(wanted);
    }
    installed.require(wanted);
    return wanted;
  }

  /** The Lease first: the next one can begin while questions are still answered here. */
  private static void stop(Operator operator, OperatorServices services) {
    operator.stepDown();
    services.close();
    operator.close();
  }

  /** In a cluster the pod's name, so that people see which one leads. */
  private String identity() {
    return environment.getOrDefault("HOSTNAME", "drydock") + "_" + UUID.randomUUID();
  }

  /** What {@code --parts} takes. */
  static final class PartNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Features.load().parts().iterator();
    }
  }
}
