package dev.drydock.slingshot.command;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.LoopFactory;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.metrics.MetricsExporter;
import dev.drydock.slingshot.metrics.PrometheusPage;
import dev.drydock.slingshot.node.HostFile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock cxi metrics-exporter}. */
@Command(
    name = "metrics-exporter",
    addMethodSubcommands = false,
    description = "Serve metrics of the CXI devices of this node to Prometheus, until stopped.")
final class MetricsExporterCommand implements Callable<Integer> {
  /** The kernel's, which needs no name service. */
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  @Option(
      names = "--node-name",
      paramLabel = "NAME",
      description =
          "The node in the labels of metrics. Default: $NODE_NAME, otherwise the host's name.")
  private @Nullable String node;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      defaultValue = "9090",
      description = "The port of /metrics, /healthz and /readyz. Default: 9090.")
  private int port;

  @Option(
      names = "--scrape-interval",
      paramLabel = "TIME",
      defaultValue = "15s",
      description = "How often the devices are looked at. Default: 15s.")
  private Duration interval = Duration.ZERO;

  @Option(
      names = "--retry-handler-url",
      paramLabel = "URL",
      defaultValue = "http://localhost:8080",
      description =
          "Where the node's retry handler answers; empty if there is none. Default:"
              + " http://localhost:8080.")
  private String retryHandler = "";

  @Mixin private SysRootOptions roots = new SysRootOptions();
  @Mixin private VerbosityOption verbosity = new VerbosityOption();

  @Override
  public Integer call() {
    MetricsExporter.Settings settings = settings(System.getenv());
    return NodeProgram.run(
        port,
        new WebServer.Setting("metrics", "--metrics-port"),
        verbosity.level(),
        loops -> new Program(loops, settings));
  }

  /**
   * @throws CommandFailure for an invalid flag
   */
  MetricsExporter.Settings settings(Map<String, String> environment) {
    if (!interval.isPositive()) {
      throw CommandFailure.usage("--scrape-interval must be more than 0");
    }
    return new MetricsExporter.Settings(node(environment), roots.roots(), interval, url());
  }

  private String node(Map<String, String> environment) {
    String name = node == null ? environment.getOrDefault("NODE_NAME", "") : node;
    if (!name.isBlank()) {
      return name;
    }
    return HostFile.text(HOST_NAME)
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> CommandFailure.usage("which node? Give --node-name, or set $NODE_NAME"));
  }

  private Optional<URI> url() {
    if (retryHandler.isEmpty()) {
      return Optional.empty();
    }
    if (!retryHandler.matches("https?://[^/?#\\s]+(/[^?#\\s]*)?")) {
      throw CommandFailure.usage(
          "--retry-handler-url \"%s\" is not a URL; write it like http://localhost:8080"
              .formatted(retryHandler));
    }
    return Optional.of(URI.create(retryHandler));
  }

  private static final class Program implements NodeProgram {
    private final MetricsExporter exporter;

    Program(LoopFactory loops, MetricsExporter.Settings settings) {
      exporter = new MetricsExporter(loops, settings);
    }

    @Override
    public void start() {
      exporter.start();
    }

    @Override
    public List<String> unready() {
      return exporter.hasRead() ? List.of() : List.of("nothing was read yet");
    }

    @Override
    public Map<String, HttpHandler> pages() {
      return Map.of("/metrics", new PrometheusPage(exporter::series));
    }

    @Override
    public void close() {
      exporter.close();
    }
  }
}
