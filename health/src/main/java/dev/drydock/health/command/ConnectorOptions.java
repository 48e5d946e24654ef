package dev.drydock.health.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.health.connector.ConnectorConfig;
import dev.drydock.health.connector.ConnectorConfigReader;
import dev.drydock.health.connector.ConnectorSettings;
import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.connector.RunningConnector;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.web.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The connector's flags in {@code drydock agent}. Without one, the original's variable counts. */
@Command(addMethodSubcommands = false)
public final class ConnectorOptions implements AgentRole {
  static final String SOCKET = "/var/run/nvsentinel.sock";
  static final Path CONFIG = Path.of("/etc/config/config.json");

  private static final String DEFAULT_TARGET = "platform-connector-deployment.nvsentinel.svc:50051";
  private static final String DEFAULT_TOKEN =
      "/var/run/secrets/nvsentinel/platform-connector/token";

  @Option(
      names = "--connector-socket",
      paramLabel = "FILE",
      defaultValue = SOCKET,
      description = "The unix socket that monitors call. Default: " + SOCKET + ".")
  private Path socket = Path.of(SOCKET);

  @Option(
      names = "--connector-config",
      paramLabel = "FILE",
      description =
          "The connector's JSON file: transformers, and who may send events."
              + " Default: /etc/config/config.json if it exists.")
  private @Nullable Path config;

  @Option(
      names = "--connector-spool",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/drydock/spool",
      description =
          "Where events are kept until they are forwarded. Default: /var/lib/drydock/spool.")
  private Path spool = Path.of("");

  @Option(
      names = "--connector-spool-max-bytes",
      paramLabel = "BYTES",
      defaultValue = "268435456",
      description =
          "When so much waits to be forwarded, calls are answered with RESOURCE_EXHAUSTED."
              + " Default: 268435456.")
  private long maxBytes;

  @Option(
      names = "--connector-spool-max-age",
      paramLabel = "TIME",
      defaultValue = "0s",
      description =
          "When the oldest batch has waited for so long, calls are answered with RESOURCE_EXHAUSTED;"
              + " 0s for any time. Default: 0s.")
  private Duration maxAge = Duration.ZERO;

  @Option(
      names = "--ingest-target",
      paramLabel = "HOST:PORT",
      description =
          "The central ingest. Default: $HEALTH_PUBLISH_TARGET, then " + DEFAULT_TARGET + ".")
  private @Nullable String target;

  @Option(
      names = "--ingest-ca-file",
      paramLabel = "FILE",
      description =
          "Certificates that the ingest's must come from. Default: $HEALTH_PUBLISH_TLS_CA_FILE, then Java's own.")
  private @Nullable Path authorities;

  @Option(
      names = "--ingest-server-name",
      paramLabel = "NAME",
      description =
          "The name in the ingest's certificate. Default: $HEALTH_PUBLISH_TLS_SERVER_NAME, then the target's.")
  private @Nullable String serverName;

  @Option(
      names = "--ingest-token-file",
      paramLabel = "FILE",
      description =
          "The token that is shown to the ingest. Default: $HEALTH_PUBLISH_TOKEN_PATH, then "
              + DEFAULT_TOKEN
              + ".")
  private @Nullable Path token;

  @Option(
      names = "--ingest-insecure",
      description =
          "Call the ingest without TLS and without a token, for development. Default: $HEALTH_PUBLISH_INSECURE.")
  private boolean insecure;

  @Option(
      names = "--event-http-address",
      paramLabel = "[HOST]:PORT",
      description = "Also take single events as JSON at POST /health-event. Default: not.")
  private @Nullable String page;

  private final Map<String, String> environment;

  public ConnectorOptions() {
    this(System.getenv());
  }

  ConnectorOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The original's own flags, where they are given. */
  void originalFlags(Path givenSocket, Path givenConfig) {
    socket = givenSocket;
    config = givenConfig;
  }

  @Override
  public List<String> summary() {
    return List.of(
        "takes health events from monitors on a unix socket, and forwards them to the operator's part ingest.",
        "A call is answered when its events are on the node's disk; what cannot be kept is refused, not dropped.");
  }

  @Override
  public void check() {
    var _ = settings();
  }

  /** Checked. */
  public ConnectorSettings settings() {
    if (maxBytes < 1 << 16) {
      throw CommandFailure.usage(
          "--connector-spool-max-bytes must be at least 65536, not " + maxBytes);
    }
    if (maxAge.isNegative()) {
      throw CommandFailure.usage("--connector-spool-max-age must not be negative");
    }
    return new ConnectorSettings(
        socket,
        config(),
        spool,
        SpoolLimits.of(maxBytes, maxAge),
        target(),
        Optional.ofNullable(page).map(ConnectorOptions::address),
        Optional.of(
            Path.of(environment.getOrDefault("PLATFORM_CONNECTOR_TOKEN_PATH", DEFAULT_TOKEN))));
  }

  private ConnectorConfig config() {
    try {
      if (config != null) {
        return ConnectorConfigReader.read(config);
      }
      return Files.exists(CONFIG) ? ConnectorConfigReader.read(CONFIG) : ConnectorConfig.DEFAULT;
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(String.valueOf(wrong.getMessage()));
    }
  }

  private Forwarder.Target target() {
    String address =
        target == null ? environment.getOrDefault("HEALTH_PUBLISH_TARGET", DEFAULT_TARGET) : target;
    boolean plain =
        insecure || Boolean.parseBoolean(environment.getOrDefault("HEALTH_PUBLISH_INSECURE", ""));
    if (plain) {
      return new Forwarder.Target(address, Optional.empty(), Optional.empty());
    }
    return new Forwarder.Target(
        address,
        Optional.of(
            new TcpChannels.Tls(
                Optional.ofNullable(authorities)
                    .or(() -> variable("HEALTH_PUBLISH_TLS_CA_FILE").map(Path::of)),
                Optional.ofNullable(serverName)
                    .or(() -> variable("HEALTH_PUBLISH_TLS_SERVER_NAME")))),
        Optional.of(
            token == null
                ? Path.of(environment.getOrDefault("HEALTH_PUBLISH_TOKEN_PATH", DEFAULT_TOKEN))
                : token));
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  private static InetSocketAddress address(String text) {
    return ListenAddress.find(text)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "--event-http-address \"%s\" is not an address; write it like :8080 or 127.0.0.1:8080"
                        .formatted(text)));
  }

  @Override
  public Running start(AgentContext context) throws IOException {
    try {
      return RunningConnector.start(context.kube(), context.node(), context.meters(), settings());
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(String.valueOf(wrong.getMessage()));
    }
  }
}
