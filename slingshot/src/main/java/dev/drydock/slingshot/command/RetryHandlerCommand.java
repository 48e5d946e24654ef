package dev.drydock.slingshot.command;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.kube.LoopFactory;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.retry.HandlerLauncher;
import dev.drydock.slingshot.retry.ProcessReplacement;
import dev.drydock.slingshot.retry.RetrySupervisor;
import dev.drydock.slingshot.retry.StatusPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock cxi retry-handler}. */
@Command(
    name = "retry-handler",
    addMethodSubcommands = false,
    description = {
      "Run cxi_rh, which sends packets again, for the CXI devices of this node, until stopped.",
      "A device has one handler: each holds a lock in /run/cxi."
    })
final class RetryHandlerCommand implements Callable<Integer> {
  private static final String AUTO = "auto";

  private enum Mode {
    supervisor,
    single
  }

  @Option(
      names = "--mode",
      paramLabel = "supervisor|single",
      defaultValue = "supervisor",
      description =
          "supervisor: one cxi_rh for each device, started again when it ends. single: become the"
              + " cxi_rh of --device. Default: supervisor.")
  private Mode mode = Mode.supervisor;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description = "The device of mode single, such as cxi0.")
  private @Nullable String device;

  @Option(
      names = "--discover",
      paramLabel = "auto|DEVICE,...",
      defaultValue = AUTO,
      description = "The devices of mode supervisor; auto: all of this node. Default: auto.")
  private String discover = AUTO;

  @Option(
      names = "--cxi-rh-path",
      paramLabel = "FILE",
      defaultValue = "/usr/bin/cxi_rh",
      description = "The vendor's program. Default: /usr/bin/cxi_rh.")
  private Path program = Path.of("");

  @Option(
      names = "--cxi-rh-conf",
      paramLabel = "FILE",
      description = "The program's configuration. Default: the program's, /etc/cxi_rh.conf.")
  private @Nullable Path configuration;

  @Option(
      names = "--cxi-rh-root",
      paramLabel = "FOLDER",
      description =
          "Run the program with this folder as its root directory: where the node's root is"
              + " mounted, if the program is the node's. Default: none.")
  private @Nullable Path changedRoot;

  @Option(
      names = "--on-crash",
      paramLabel = "restart|quarantine",
      defaultValue = "restart",
      description =
          "What happens if cxi_rh ends by itself. restart: it is started again, after 1s to 60s."
              + " quarantine: it is not, pods do not get the device, and the operator raises a"
              + " maintenance of the node, until it was rebooted. Default: restart.")
  private CrashAction onCrash = CrashAction.restart;

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "The port of /healthz, /readyz and /status. Default: 8080.")
  private int port;

  @Option(
      names = "--poll-interval",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How often statistics are read, and devices looked for. Default: 10s.")
  private Duration poll = Duration.ZERO;

  @Mixin private DeviceRootOptions roots = new DeviceRootOptions();
  @Mixin private VerbosityOption verbosity = new VerbosityOption();

  @Override
  public Integer call() throws IOException {
    HandlerLauncher launcher = launcher();
    if (mode == Mode.single) {
      throw ProcessReplacement.become(single(launcher));
    }
    RetrySupervisor.Settings settings =
        new RetrySupervisor.Settings(launcher, onCrash, named(), poll());
    return NodeProgram.run(
        port,
        new WebServer.Setting("health", "--health-port"),
        verbosity.level(),
        loops -> new Program(loops, settings));
  }

  HandlerLauncher launcher() {
    if (!program.isAbsolute()) {
      throw CommandFailure.usage("--cxi-rh-path \"%s\" is not an absolute path".formatted(program));
    }
    return new HandlerLauncher(
        roots.roots(),
        program,
        Optional.ofNullable(configuration),
        Optional.ofNullable(changedRoot));
  }

  private Duration poll() {
    if (!poll.isPositive()) {
      throw CommandFailure.usage("--poll-interval must be more than 0");
    }
    return poll;
  }

  /** The devices that are named; empty for all. */
  List<String> named() {
    if (device != null) {
      throw CommandFailure.usage("--device belongs to --mode=single; use --discover");
    }
    if (discover.equals(AUTO)) {
      return List.of();
    }
    return Stream.of(discover.split(",", -1))
        .map(name -> requireDevice("--discover", name))
        .distinct()
        .toList();
  }

  private static String requireDevice(String flag, String name) {
    if (!CxiNic.NAME.matcher(name).matches()) {
      throw CommandFailure.usage(
          "%s: \"%s\" is not a device; write it like cxi0".formatted(flag, name));
    }
    return name;
  }

  /** The command line of the one handler. */
  List<String> single(HandlerLauncher launcher) {
    if (device == null) {
      throw CommandFailure.usage("--mode=single needs --device, such as --device=cxi0");
    }
    String nic = requireDevice("--device", device);
    HostRoots host = launcher.roots();
    if (!Files.exists(host.device(nic))) {
      throw new CommandFailure(
          "%s does not exist: is the driver loaded?".formatted(host.device(nic)));
    }
    if (!launcher.isThere()) {
      throw new CommandFailure(
          "there is no program %s: install cxi_rh, or name it with --cxi-rh-path"
              .formatted(launcher.program()));
    }
    return launcher.command(nic, onCrash);
  }

  private static final class Program implements NodeProgram {
    private final RetrySupervisor supervisor;

    Program(LoopFactory loops, RetrySupervisor.Settings settings) {
      supervisor = new RetrySupervisor(loops, settings);
    }

    @Override
    public void start() throws IOException {
      supervisor.start();
    }

    @Override
    public List<String> unready() {
      return supervisor.missing();
    }

    @Override
    public Map<String, HttpHandler> pages() {
      return Map.of("/status", new StatusPage(supervisor::status));
    }

    @Override
    public void close() {
      supervisor.close();
    }
  }
}
