package dev.drydock.health.command;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.GoFlags;
import dev.drydock.cli.KubeOptions;
import dev.drydock.serve.feature.AgentProcess;
import dev.drydock.serve.feature.AgentProcessOptions;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock connector}: the connector alone, with the original's flags. */
@Command(
    name = "connector",
    addMethodSubcommands = false,
    preprocessor = GoFlags.class,
    description = {
      "Take health events from monitors on one node, until stopped.",
      "The same as \"drydock agent --parts connector\", with the flags of platform-connectors."
    })
public final class ConnectorCommand implements DrydockCommand {
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private AgentProcessOptions process = new AgentProcessOptions();
  @Mixin private ConnectorOptions connector = new ConnectorOptions();

  @Option(
      names = "--socket",
      required = true,
      paramLabel = "FILE",
      description = "The unix socket that monitors call.")
  private Path socket = Path.of("");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "/etc/config/config.json",
      description = "The connector's JSON file. Default: /etc/config/config.json.")
  private Path config = Path.of("");

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      defaultValue = "2112",
      description = "The port of /metrics, /healthz and /readyz. Default: 2112.")
  private int metricsPort;

  @Override
  public Integer call() {
    connector.originalFlags(socket, config);
    process.metricsPort(metricsPort);
    return new AgentProcess(kube, process, List.of(connector), System.getenv()).run();
  }
}
