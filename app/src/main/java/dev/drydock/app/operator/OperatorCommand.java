package dev.drydock.app.operator;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.GoFlags;
import dev.drydock.cli.HelpLines;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.WhenStopped;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.ProcessHeap;
import dev.drydock.serve.feature.ProcessIdentity;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock operator}: the process that serves the cluster, in it or beside it. */
@Command(
    name = "operator",
    addMethodSubcommands = false,
    preprocessor = GoFlags.class,
    description = {
      "Run Drydock's controllers until stopped.",
      "Several replicas may run. Only the one that holds the Lease drydock-operator in --namespace is active.",
      "Requires the CRDs:",
      "  " + CrdInstall.ALL,
      "Its parts:"
    })
public final class OperatorCommand implements DrydockCommand {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorCommand.class);
  private static final long RECOMMENDED_HEAP_MEBIBYTES = 128;

  private final Map<String, String> environment;
  private final Path defaultFile;
  private @Nullable CommandSpec spec;

  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private ZapFlags zap = new ZapFlags();

  @Option(
      names = ConfigReader.FILE_FLAG,
      paramLabel = "FILE",
      description =
          "The settings file, in YAML. Flags override environment variables, and these override the file."
              + " Default: $DRYDOCK_CONFIG, then /etc/config/notifyMaintenanceConfig.yaml if it exists.")
  private @Nullable Path file;

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      description =
          "Run only these parts, separated by commas: ${COMPLETION-CANDIDATES}."
              + " Default: all parts whose CRDs are installed.",
      completionCandidates = PartNames.class)
  private List<String> parts = List.of();

  @Option(
      names = "--print-config",
      description =
          "Print the effective settings as YAML with their sources, and exit without contacting the cluster.")
  private boolean printConfig;

  public OperatorCommand() {
    this(System.getenv(), ConfigReader.DEFAULT_FILE);
  }

  OperatorCommand(Map<String, String> environment, Path defaultFile) {
    this.environment = environment;
    this.defaultFile = defaultFile;
  }

  /** Also gives the command a flag for every setting, and its help a line for every part. */
  @Spec
  void spec(CommandSpec own) {
    spec = own;
    OperatorNamespaceOption.describeOwn(own);
    HelpLines.append(own, Features.load().summaries());
    ConfigFlags.addTo(own, ConfigReader.known());
  }

  @Override
  public Integer call() {
    CommandSpec own = requireNonNull(spec);
    Features named = parts.isEmpty() ? Features.load().byDefault() : Features.load().only(parts);
    if (printConfig) {
      Terminal terminal = Terminal.of(own);
      terminal.out().print(config(named).yaml());
      terminal.out().flush();
      return ExitCode.OK;
    }
    // Reports mistakes before contacting the cluster. Settings that only some parts need are
    // checked when the parts are known.
    var _ = config(named, parts.isEmpty() ? new Features(List.of()) : named);
    CommandLogging.enable(zap.verbosity());
    ProcessHeap.check("operator", RECOMMENDED_HEAP_MEBIBYTES);
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
            defaultFile),
        on,
        certain);
  }

  private void serve(Features wanted) {
    try (KubeConnection connection =
            kube.connect(
                environment.getOrDefault("NAMESPACE", OperatorNamespaceOption.DEFAULT_NAMESPACE));
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
              ProcessIdentity.of(environment),
              config(on).settings(),
              on);
      try (Operator operator = new Operator(setup, own);
          OperatorServices services = new OperatorServices(operator);
          WhenStopped _ = new WhenStopped(() -> stop(operator, services));
          DisabledParts disabled =
              new DisabledParts(own, wanted, on, () -> stop(operator, services))) {
        services.start();
        disabled.start();
        if (setup.settings().get(CoreSettings.LEADER_ELECT)) {
          operator.leadWhenElected();
        } else {
          operator.leadUnelected();
        }
      }
    }
  }

  private Features on(Features wanted, KubeHttp http) {
    InstalledParts installed = new InstalledParts(http);
    if (!parts.isEmpty()) {
      installed.require(wanted);
    }
    Features on = parts.isEmpty() ? installed.among(wanted) : wanted;
    if (!on.holdOwners().isEmpty() && on.holdReleasers().isEmpty()) {
      LOG.warn(
          "part {} is off: holds of {} that expire or lose their owner are not released",
          String.join(", ", Features.load().holdReleasers()),
          on.holdOwners().stream().map(owner -> owner.resource().kind() + "s").toList());
    }
    return on;
  }

  /**
   * Releases the Lease first, so that the next leader starts while webhooks are still answered
   * here.
   */
  private static void stop(Operator operator, OperatorServices services) {
    operator.stepDown();
    services.close();
    operator.close();
  }

  /** What {@code --parts} takes. */
  static final class PartNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Features.load().parts().iterator();
    }
  }
}
