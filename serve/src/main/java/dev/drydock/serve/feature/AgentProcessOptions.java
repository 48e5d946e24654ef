package dev.drydock.serve.feature;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.NodeNameCandidates;
import dev.drydock.serve.web.ListenAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The flags that an agent has whatever features are on. */
@Command(addMethodSubcommands = false)
public final class AgentProcessOptions {
  private static final String NODE_VARIABLE = "NODE_NAME";

  @Option(
      names = "--node-name",
      paramLabel = "NAME",
      completionCandidates = NodeNameCandidates.class,
      description = "The node this agent serves; required. Default: $NODE_NAME.")
  private @Nullable String node;

  @Option(
      names = "--metrics-bind-address",
      paramLabel = "[HOST]:PORT",
      defaultValue = ":8384",
      description =
          "The address of /metrics, /healthz and /readyz; 0 disables them. Default: :8384.")
  private String metricsAddress = "";

  @Option(
      names = {"-v", "--v"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description =
          "Log verbosity: 4 and above for details, 6 and above for everything. Default: 0.")
  private int verbosity;

  public int verbosity() {
    return verbosity;
  }

  public String node(Map<String, String> environment) {
    String name = node == null ? environment.getOrDefault(NODE_VARIABLE, "") : node;
    if (name.isBlank()) {
      throw CommandFailure.usage("which node? Give --node-name, or set $" + NODE_VARIABLE);
    }
    return name;
  }

  /** For a command that has a flag of its own for it. */
  public void metricsPort(int port) {
    metricsAddress = ":" + port;
  }

  /** Empty if metrics are disabled. */
  public Optional<InetSocketAddress> metricsAddress() {
    if (metricsAddress.equals("0")) {
      return Optional.empty();
    }
    return Optional.of(
        ListenAddress.find(metricsAddress.contains(":") ? metricsAddress : ":" + metricsAddress)
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "--metrics-bind-address \"%s\" is not an address; write it like :8384 or 127.0.0.1:8384"
                            .formatted(metricsAddress))));
  }
}
