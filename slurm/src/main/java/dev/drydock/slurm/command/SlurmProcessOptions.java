package dev.drydock.slurm.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.KubeOptions;
import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.ServerPages;
import dev.drydock.serve.feature.ServerProcess;
import dev.drydock.serve.web.ListenAddress;
import dev.drydock.serve.web.WebServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The flags that all processes of this module have. */
@Command(addMethodSubcommands = false)
final class SlurmProcessOptions {
  private static final long HEAP_MEBIBYTES = 72;
  private static final String METRICS = "--metrics-bind-address";
  private static final String PROBES = "--health-probe-bind-address";

  @Option(
      names = "--slinky-namespace",
      paramLabel = "NAME",
      defaultValue = SlurmNames.DEFAULT_NAMESPACE,
      description =
          "The namespace of the pods that are Slurm's workers. Default: ${DEFAULT-VALUE}.")
  private String slinkyNamespace = SlurmNames.DEFAULT_NAMESPACE;

  @Option(
      names = METRICS,
      paramLabel = "[HOST]:PORT",
      description = "The address of /metrics; 0 disables it. Default: ${DEFAULT-VALUE}.")
  private String metrics;

  @Option(
      names = PROBES,
      paramLabel = "[HOST]:PORT",
      defaultValue = ":8081",
      description = "The address of /healthz and /readyz; 0 disables them. Default: :8081.")
  private String probes = ":8081";

  @Option(
      names = {"-v", "--v"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description =
          "Log verbosity: 4 and above for details, 6 and above for everything. Default: 0.")
  private int verbosity;

  /**
   * @param metrics the default address of {@code /metrics}
   */
  SlurmProcessOptions(String metrics) {
    this.metrics = metrics;
  }

  /**
   * @throws CommandFailure for an invalid flag
   */
  String slinkyNamespace() {
    if (!Resource.isName(slinkyNamespace)) {
      throw CommandFailure.usage(
          "--slinky-namespace \"%s\" is not the name of a namespace".formatted(slinkyNamespace));
    }
    return slinkyNamespace;
  }

  /**
   * @throws CommandFailure for an invalid flag
   */
  static Duration positive(String flag, Duration time) {
    if (!time.isPositive()) {
      throw CommandFailure.usage(flag + " must be more than 0");
    }
    return time;
  }

  /**
   * @param name for people
   * @throws CommandFailure for an invalid flag
   */
  ServerProcess process(String name, KubeOptions kube, Map<String, String> environment) {
    return new ServerProcess(
        kube,
        new ServerProcess.Settings(
            name,
            HEAP_MEBIBYTES,
            verbosity,
            Optional.of(
                new ServerPages.Places(
                    place("metrics", METRICS, metrics), place("probes", PROBES, probes)))),
        environment);
  }

  private static ServerPages.Place place(String what, String flag, String text) {
    WebServer.Setting setting = new WebServer.Setting(what, flag);
    if (text.equals("0")) {
      return ServerPages.Place.plain(Optional.empty(), setting);
    }
    InetSocketAddress address =
        ListenAddress.find(text)
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "%s \"%s\" is not an address; write it like :8080 or 127.0.0.1:8080"
                            .formatted(flag, text)));
    return ServerPages.Place.plain(Optional.of(address), setting);
  }
}
