package dev.drydock.lifecycle.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.OptionalValue;
import dev.drydock.contracts.Limits;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.LifecycleAgent;
import dev.drydock.lifecycle.LifecycleAgentSettings;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Serves the LifecycleEvents of the agent's node: the flags that drain drivers have always had, and
 * those of the claimer.
 */
@Command(addMethodSubcommands = false)
public final class LifecycleAgentOptions implements AgentRole {
  @Override
  public List<String> summary() {
    return List.of(
        "drains and uncordons the node for its LifecycleEvents, and claims them unless its kubelet does.",
        "Only the agent that holds the node's Lease, drydock-claimer-NODE, claims its events.",
        "Requires the CRDs: " + CrdInstall.LIFECYCLE);
  }

  @Option(
      names = "--driver-name",
      paramLabel = "NAME",
      defaultValue = "drain.slm.k8s.io",
      description =
          "The driver's name. Its transitions are called NAME and NAME-uncordon."
              + " Default: drain.slm.k8s.io.")
  private String driver = "";

  @Option(
      names = "--kssd-names",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description =
          "Also serve the driver's later names: driver kubectl-server-side-drain, transitions"
              + " kssd-drain and kssd-maintenance-complete. Default: true.")
  private boolean kssdNames;

  @Option(
      names = "--sla",
      paramLabel = "TIME",
      defaultValue = "5m",
      description =
          "How long an event may take from claim to end; written to the driver's transitions. Default: 5m.")
  private Duration sla = Duration.ZERO;

  @Option(
      names = "--at-sla",
      paramLabel = "stop|continue|delete",
      defaultValue = "stop",
      converter = AtSla.class,
      completionCandidates = AtSla.class,
      description =
          "What happens when that time has passed. stop: evict no more pods. continue: keep draining, though the event has ended."
              + " delete: delete the remaining pods regardless of budgets. Default: stop.")
  private SlaPolicy atSla = SlaPolicy.STOP;

  @Option(
      names = "--on-cancel",
      paramLabel = "uncordon|keep",
      defaultValue = "uncordon",
      description =
          "What happens when a drain's event is deleted before its end. uncordon: uncordon the node."
              + " keep: leave it cordoned. Default: uncordon.")
  private OnCancel onCancel = OnCancel.uncordon;

  @Option(
      names = "--eviction-timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "An eviction that the API server does not answer in this time is retried."
              + " Default: 30s.")
  private Duration evictionTimeout = Duration.ZERO;

  @Option(
      names = "--grace-period",
      paramLabel = "SECONDS",
      defaultValue = "-1",
      description =
          "The grace period of every pod; 0 for none, negative for each pod's own. Default: -1.")
  private long gracePeriod;

  @Option(
      names = "--kube-api-qps",
      paramLabel = "NUMBER",
      defaultValue = "50",
      description = "Requests to the API server per second. Default: 50.")
  private double qps;

  @Option(
      names = "--kube-api-burst",
      paramLabel = "NUMBER",
      defaultValue = "100",
      description = "The burst of requests to the API server. Default: 100.")
  private int burst;

  @Option(
      names = "--datadir",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/kubelet/plugins",
      description = "The folder of the driver's socket. Default: /var/lib/kubelet/plugins.")
  private Path dataFolder = Path.of("");

  @Option(
      names = "--plugin-registration-path",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/kubelet/plugins_registry",
      description =
          "The folder in which kubelet and claimer look for drivers. Default: /var/lib/kubelet/plugins_registry.")
  private Path registrationFolder = Path.of("");

  @Option(
      names = "--claimer",
      paramLabel = "auto|always|never",
      defaultValue = "auto",
      description =
          "Claim the node's events instead of the kubelet. auto: unless the kubelet registers the"
              + " driver, which it does when it claims events itself. Default: auto.")
  private Claims claimer = Claims.auto;

  /** "continue" is no name in Java. */
  static final class AtSla implements ITypeConverter<SlaPolicy>, Iterable<String> {
    private static final List<String> WORDS =
        Arrays.stream(SlaPolicy.values())
            .map(policy -> policy.name().toLowerCase(Locale.ROOT))
            .toList();

    @Override
    public SlaPolicy convert(String word) {
      if (!WORDS.contains(word)) {
        throw new TypeConversionException(
            "\"" + word + "\" should be one of " + String.join(", ", WORDS));
      }
      return SlaPolicy.valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public Iterator<String> iterator() {
      return WORDS.iterator();
    }
  }

  private enum OnCancel {
    uncordon,
    keep
  }

  private enum Claims {
    auto,
    always,
    never
  }

  /**
   * The settings that the flags say.
   *
   * @param namespace where the andon cord is
   * @param identity of this process among those that want the node's Lease
   * @throws CommandFailure for an invalid flag
   */
  public LifecycleAgentSettings settings(String node, String namespace, String identity) {
    require(
        driver.matches(Limits.SUBDOMAIN),
        "--driver-name \"%s\" is not a name; use lowercase letters, digits, '-' and '.', such as drain.slm.k8s.io"
            .formatted(driver));
    require(sla.isPositive(), "--sla must be more than 0");
    require(evictionTimeout.isPositive(), "--eviction-timeout must be more than 0");
    require(qps > 0, "--kube-api-qps must be more than 0");
    require(burst > 0, "--kube-api-burst must be at least 1");
    return new LifecycleAgentSettings(
        node,
        namespace,
        identity,
        DriverNaming.of(driver, kssdNames),
        new PluginServer.SocketFolders(dataFolder, registrationFolder),
        sla,
        evictionTimeout,
        gracePeriod,
        qps,
        burst,
        atSla,
        onCancel == OnCancel.uncordon,
        LifecycleAgentSettings.Claims.valueOf(claimer.name().toUpperCase(Locale.ROOT)));
  }

  @Override
  public void check() {
    var _ = settings("", "", "");
  }

  @Override
  public RequestInterceptor interceptor() {
    return new RateLimiter(qps, burst, RequestInterceptor.NONE);
  }

  @Override
  public Running start(AgentContext context) throws IOException {
    LifecycleAgentMetrics metrics = new LifecycleAgentMetrics(context.meters());
    LifecycleAgent agent =
        LifecycleAgent.start(
            context.kube(),
            settings(context.node(), context.namespace(), context.identity()),
            metrics);
    metrics.remaining(agent::remaining);
    return new Running() {
      @Override
      public Optional<String> unready() {
        return agent.unready();
      }

      @Override
      public void close() {
        agent.close();
      }
    };
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw CommandFailure.usage(message);
    }
  }
}
