package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.LoopFactory;
import dev.drydock.serve.web.WebServer;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.deviceplugin.DevicePlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock cxi device-plugin}. */
@Command(
    name = "device-plugin",
    addMethodSubcommands = false,
    description = {
      "Offer the CXI devices of this node to its kubelet, until stopped.",
      "Pods get them by a limit such as hpe.com/cxi: 1."
    })
final class DevicePluginCommand implements Callable<Integer> {
  /** As the API server has it for resources that are not its own. */
  private static final Pattern RESOURCE =
      Pattern.compile(
          "(?=.{1,253}/)[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private static final Pattern RESERVED =
      Pattern.compile("requests\\..*|([^/]*\\.)?kubernetes\\.io/.*");

  @Option(
      names = "--resource-name",
      paramLabel = "NAME",
      description =
          "The resource that pods ask for. Default: $RESOURCE_NAME, otherwise hpe.com/cxi.")
  private @Nullable String resource;

  @Option(
      names = "--sharing-mode",
      paramLabel = "shared|exclusive",
      description =
          "Whether several pods may have one device. Default: $SHARING_MODE, otherwise shared.")
  private @Nullable String mode;

  @Option(
      names = "--shared-capacity",
      paramLabel = "PODS",
      description =
          "How many pods may have one device if it is shared. Default: $SHARED_CAPACITY,"
              + " otherwise 100.")
  private @Nullable String capacity;

  @Option(
      names = "--numa-hints",
      paramLabel = "true|false",
      arity = "1",
      defaultValue = "true",
      description =
          "Tell the kubelet the NUMA node of each device, for its topology manager. Default: true.")
  private boolean numaHints;

  @Option(
      names = "--kubelet-folder",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/kubelet/device-plugins",
      description =
          "The kubelet's folder of device plugins. Default: /var/lib/kubelet/device-plugins.")
  private Path kubelet = Path.of("");

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      defaultValue = "8082",
      description = "The port of /healthz and /readyz. Default: 8082.")
  private int port;

  @Option(
      names = "--poll-interval",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How often devices and links are looked at. Default: 10s.")
  private Duration poll = Duration.ZERO;

  @Option(
      names = "--link-hysteresis",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "How long a link must be down until its device is unhealthy, and up until it is healthy"
              + " again. Default: 30s.")
  private Duration hysteresis = Duration.ZERO;

  @Mixin private DeviceRootOptions roots = new DeviceRootOptions();
  @Mixin private VerbosityOption verbosity = new VerbosityOption();

  @Override
  public Integer call() {
    DevicePlugin.Settings settings = settings(System.getenv());
    return NodeProgram.run(
        port,
        new WebServer.Setting("health", "--health-port"),
        verbosity.level(),
        loops -> new Program(loops, settings));
  }

  /**
   * @throws CommandFailure for an invalid flag
   */
  DevicePlugin.Settings settings(Map<String, String> environment) {
    if (!poll.isPositive() || hysteresis.isNegative()) {
      throw CommandFailure.usage(
          "--poll-interval must be more than 0, and --link-hysteresis not less than 0");
    }
    return new DevicePlugin.Settings(
        resource(given(resource, environment, "RESOURCE_NAME", CxiNames.DEFAULT_RESOURCE)),
        mode(given(mode, environment, "SHARING_MODE", SharingMode.shared.name())),
        capacity(given(capacity, environment, "SHARED_CAPACITY", "100")),
        numaHints,
        kubelet,
        roots.roots(),
        poll,
        hysteresis);
  }

  private static String given(
      @Nullable String flag, Map<String, String> environment, String variable, String otherwise) {
    if (flag != null) {
      return flag;
    }
    String value = environment.getOrDefault(variable, "");
    return value.isEmpty() ? otherwise : value;
  }

  private static String resource(String name) {
    if (!RESOURCE.matcher(name).matches() || RESERVED.matcher(name).matches()) {
      throw CommandFailure.usage(
          "\"%s\" is not a name of an extended resource; write it like hpe.com/cxi"
              .formatted(name));
    }
    return name;
  }

  private static SharingMode mode(String word) {
    return Stream.of(SharingMode.values())
        .filter(mode -> mode.name().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "sharing mode \"%s\" is neither shared nor exclusive".formatted(word)));
  }

  private static int capacity(String text) {
    if (!text.matches("\\d{1,5}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > EffectiveSpec.MOST_CAPACITY) {
      throw CommandFailure.usage(
          "shared capacity \"%s\" is not a number from 1 to %d"
              .formatted(text, EffectiveSpec.MOST_CAPACITY));
    }
    return Integer.parseInt(text);
  }

  private static final class Program implements NodeProgram {
    private final DevicePlugin plugin;

    Program(LoopFactory loops, DevicePlugin.Settings settings) {
      plugin = new DevicePlugin(loops, settings);
    }

    @Override
    public void start() throws IOException {
      plugin.start();
    }

    @Override
    public List<String> unready() {
      return plugin.unready().stream().toList();
    }

    @Override
    public void close() {
      plugin.close();
    }
  }
}
