package dev.drydock.demo;

import dev.drydock.demo.Shell.Run;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** A GPU fails, and its node is drained through a scheduler. */
final class FaultDemoSteps implements AutoCloseable {
  private static final String NODE = "gpu-c-1";
  private static final String WORKERS = "slinky-workload";
  private static final String NAMESPACE = "nvsentinel";

  private final DemoPresenter presenter;
  private final DemoClusterView view;
  private final Shell shell;
  private final Checks checks;
  private final DemoProcesses processes;
  private final String page;

  FaultDemoSteps(DemoPresenter presenter, DemoClusterView view, Shell shell, Checks checks) {
    this.presenter = presenter;
    this.view = view;
    this.shell = shell;
    this.checks = checks;
    processes = new DemoProcesses(shell.kubeconfig(), view.changes());
    page = "127.0.0.1:" + freePort();
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void play() {
    presenter.heading("8. A GPU that fails");
    presenter.say(
        """
        On %s two workers run jobs of Slurm, which only Slurm may end. When a GPU of the node fails, the node drainer
        leaves the drain to the slinky drainer, which asks Slurm first; here a stand-in answers for it."""
            .formatted(NODE));
    DemoSteps.create(view, "slinky.yaml");
    checks.check("two workers are ready", "2", () -> "" + view.ready(WORKERS));
    startComponents();
    DrainFlow flow = view.watchDrain(NODE);
    presenter.pause("the GPU fails");
    inject();
    checks.check("it is out of service", "out", () -> view.service(NODE));
    checks.check("its drain has succeeded", "drain-succeeded", () -> view.state(NODE));
    checks.check("both workers are gone", "0", () -> "" + view.uidsOn(NODE, WORKERS).size());
    checks.check(
        "each step came after the one before",
        "cordoned, requested, annotated, drained in Slurm, deleted, complete, succeeded",
        flow::steps);
    Run history = shell.run("history", NODE);
    checks.checkSaid("its history tells of the drain", history, "HealthDrainEnded", "Succeeded");
    presenter.pause("the GPU is repaired");
    recover();
  }

  private void startComponents() {
    String ingest = "127.0.0.1:" + freePort();
    Run operator = startOperator(ingest);
    Run connector = startConnector(ingest);
    for (String command : new String[] {"slinky-drainer", "mock-slurm"}) {
      var _ = start(command, command, "--metrics-bind-address=0", "--health-probe-bind-address=0");
    }
    checks.checkSaid("the operator takes health events", operator, "taken on port");
    checks.checkSaid("the connector of the node does, too", connector, "taken at");
  }

  private Run startOperator(String ingest) {
    return start(
        "operator --parts=health,node-drainer --config-path=node-drainer.toml",
        "operator",
        "--parts=health,node-drainer",
        "--config-path=" + config(),
        "--namespace=" + NAMESPACE,
        "--leader-elect=false",
        "--webhook-enabled=false",
        "--metrics-port=0",
        "--metrics-tls=false",
        "--health-bind-address=127.0.0.1:0",
        "--event-store-folder=" + processes.folder().resolve("events"),
        "--event-ingest-insecure=true",
        "--event-ingest-address=" + ingest,
        "--event-log-address=127.0.0.1:" + freePort());
  }

  private Run startConnector(String ingest) {
    return start(
        "agent --parts=connector --node-name=" + NODE,
        "agent",
        "--parts=connector",
        "--node-name=" + NODE,
        "--namespace=" + NAMESPACE,
        "--metrics-bind-address=0",
        "--connector-socket=" + processes.folder().resolve("c.sock"),
        "--connector-spool=" + processes.folder().resolve("spool"),
        "--ingest-insecure",
        "--ingest-target=" + ingest,
        "--event-http-address=" + page);
  }

  /**
   * @param shown what matters of the command line
   */
  private Run start(String shown, String... words) {
    shell.show("drydock %s &".formatted(shown).split(" ", -1));
    return processes.start(words);
  }

  /** Writes the files of the node drainer, and returns the first of them. */
  private Path config() {
    try {
      Path template = processes.folder().resolve("drain-template.yaml");
      Files.writeString(template, text("drain-template.yaml"));
      return Files.writeString(
          processes.folder().resolve("node-drainer.toml"),
          text("node-drainer.toml").replace("FOLDER", processes.folder().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String file) throws IOException {
    try (InputStream in = Objects.requireNonNull(FaultDemoSteps.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void inject(String... more) {
    Run sent =
        shell.runAlone(
            Stream.concat(
                    Stream.of("inject", NODE, "--url", "http://%s/health-event".formatted(page)),
                    Stream.of(more))
                .toArray(String[]::new));
    checks.check("the event is taken", DemoSteps.SUCCESS, () -> DemoSteps.exitCode(sent));
  }

  private void recover() {
    presenter.say(
        "The monitor reports the GPU as healthy: the quarantine ends, and Slurm may use the node again.");
    inject("--healthy");
    checks.check(
        NODE + " is back in service", DemoClusterView.IN_SERVICE, () -> view.service(NODE));
    checks.check("the request is gone", "0", () -> "" + view.requests(NAMESPACE));
    checks.check("nobody holds it", "", () -> view.holders(NODE));
    presenter.show(view);
  }

  @Override
  public void close() {
    processes.close();
  }
}
