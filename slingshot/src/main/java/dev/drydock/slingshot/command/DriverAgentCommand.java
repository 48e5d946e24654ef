package dev.drydock.slingshot.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.ApiConnection;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.GoFlags;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.SafeText;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.driver.AgentState;
import dev.drydock.slingshot.driver.DriverAgent;
import dev.drydock.slingshot.driver.DriverAgentSettings;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock cxi driver-agent}. */
@Command(
    name = "driver-agent",
    addMethodSubcommands = false,
    preprocessor = GoFlags.class,
    description = {
      "Give this node its CXI driver, and report its NICs, until stopped.",
      "A driver that is there is replaced only within a maintenance of a roll-out, and never under a user."
    })
final class DriverAgentCommand implements Callable<Integer> {
  private static final String PLAIN = "text/plain; charset=utf-8";

  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private DriverAgentOptions options = new DriverAgentOptions();

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      defaultValue = "8081",
      description = "The port of /healthz, /readyz and /status. Default: 8081.")
  private int port;

  @Mixin private VerbosityOption verbosity = new VerbosityOption();

  @Override
  public Integer call() {
    DriverAgentSettings settings = options.settings(); // mistakes first
    if (port < 0 || port > 65535) {
      throw CommandFailure.usage("--health-port must be 0 to 65535, not " + port);
    }
    CommandLogging.enable(verbosity.level());
    try (ApiConnection connection = kube.connectHttp(options.namespace());
        Kube served = Kube.of(connection.config(), connection.http())) {
      DriverAgent agent =
          DriverAgent.of(
              served,
              settings.in(connection.namespace()),
              options.folders(),
              options.hostCommand(),
              options.resource());
      return NodeProgram.run(
          port,
          new WebServer.Setting("health", "--health-port"),
          served.health(),
          new Program(agent, settings.node()));
    }
  }

  /**
   * Its pages are served before anything is installed: a build may take longer than probes wait.
   */
  private record Program(DriverAgent agent, String node) implements NodeProgram {
    @Override
    public void start() {
      agent.start();
    }

    @Override
    public List<String> unready() {
      return agent.state().unready().stream().toList();
    }

    @Override
    public Map<String, HttpHandler> pages() {
      return Map.of(
          "/readyz",
          exchange -> ready(exchange, agent.state()),
          "/status",
          exchange -> status(exchange, agent, node));
    }

    @Override
    public void close() {
      agent.close();
    }
  }

  private static void ready(HttpExchange exchange, AgentState state) throws IOException {
    WebServer.answer(
        exchange,
        state.ready() ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE,
        PLAIN,
        state.ready()
            ? "ready\n"
            : "not ready: " + SafeText.line(state.unready().orElse("")) + "\n");
  }

  private static void status(HttpExchange exchange, DriverAgent agent, String node)
      throws IOException {
    AgentState state = agent.state();
    ObjectNode status = Json.object().put("node", node).put("driverReady", state.ready());
    state.unready().ifPresent(error -> status.put("lastError", error));
    state
        .report()
        .map(DriverReport::state)
        .ifPresent(each -> status.put("driverState", each.name()));
    state.report().map(DriverReport::version).ifPresent(each -> status.put("version", each));
    state.checksum().ifPresent(each -> status.put("checksum", each));
    status.put("waitingFor", state.waiting());
    var devices = status.putArray("devices");
    agent
        .nics()
        .forEach(
            nic ->
                devices
                    .addObject()
                    .put("name", nic.name())
                    .put("pci", nic.pciAddress())
                    .put("numa", nic.numaNode())
                    .put("link", nic.link().name()));
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, "application/json", status + "\n");
  }
}
