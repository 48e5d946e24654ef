package dev.drydock.app.operator;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.GoFlags;
import dev.drydock.cli.HelpLines;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.ProcessIdentity;
import dev.drydock.serve.feature.ServerProcess;
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
      return ExitCode.OK;
    }
    // Reports mistakes before contacting the cluster. Settings that only some parts need are
    // checked when the parts are known.
    var _ = config(named, parts.isEmpty() ? new Features(List.of()) : named);
    return serve(named);
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

  private int serve(Features wanted) {
    return new ServerProcess(
            kube,
            new ServerProcess.Settings(
                "operator", RECOMMENDED_HEAP_MEBIBYTES, zap.verbosity(), Optional.empty()),
            environment)
        .run(RequestInterceptor.NONE, (context, running) -> start(wanted, context, running));
  }

  private void start(
      Features wanted, ServerProcess.Context context, List<AgentRole.Running> running) {
    Features on = on(wanted, context.kube().http());
    Operator operator =
        new Operator(
            new Operator.Setup(
                context.client(),
                RequestInterceptor.NONE,
                context.namespace(),
                ProcessIdentity.of(environment),
                config(on).settings(),
                on),
            context.kube(),
            context.meters());
    running.add(operator::close);
    OperatorServices services = new OperatorServices(operator);
    running.add(services::close);
    // Closed before the services: the next leader starts while webhooks are still answered here.
    running.add(operator::stepDown);
    DisabledParts disabled = new DisabledParts(context.kube(), wanted, on, context.end());
    running.add(disabled::close);
    services.start();
    disabled.start();
    operator.elect();
  }

  private Features on(Features wanted, KubeHttp http) {
    InstalledParts installed = new InstalledParts(http);
    if (!parts.isEmpty()) {
      installed.require(wanted);
    }
    Features on = parts.isEmpty() ? installed.among(wanted) : wanted;
    if (!on.holdOwners().isEmpty() && on.holdReleasers().isEmpty()) {
      LOG.warn(
          "holds of {} that expire or lose their owner are not released; add {} to --parts",
          on.holdOwners().stream().map(owner -> owner.resource().kind() + "s").toList(),
          String.join(", ", Features.load().holdReleasers()));
    }
    return on;
  }

  /** What {@code --parts} takes. */
  static final class PartNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Features.load().parts().iterator();
    }
  }
}
