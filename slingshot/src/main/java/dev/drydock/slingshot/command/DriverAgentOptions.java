package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.NodeNameCandidates;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.driver.AgentFolders;
import dev.drydock.slingshot.driver.DriverAgentSettings;
import dev.drydock.slingshot.driver.HostCommand;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.node.HostRoots;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of a driver agent. Without one, the operator's variable counts. */
@Command(addMethodSubcommands = false)
final class DriverAgentOptions {
  private static final String REPOSITORY = "DKMS_REPOSITORY_";

  @Mixin private HostRootOptions roots = new HostRootOptions();

  @Option(
      names = "--node-name",
      paramLabel = "NAME",
      completionCandidates = NodeNameCandidates.class,
      description = "The node this agent serves; required. Default: $NODE_NAME.")
  private @Nullable String node;

  @Option(
      names = "--driver-source",
      paramLabel = "TYPE",
      description = "${COMPLETION-CANDIDATES}. Default: $DRIVER_SOURCE_TYPE, then preinstalled.")
  private @Nullable SourceType source;

  @Option(
      names = "--driver-version",
      paramLabel = "VERSION",
      description = "The version to install. Default: $CXI_DRIVER_VERSION.")
  private @Nullable String version;

  @Option(
      names = "--driver-revision",
      paramLabel = "HASH",
      description =
          "Identifies version and source. Default: $CXI_DRIVER_REVISION, then computed from them.")
  private @Nullable String revision;

  @Option(
      names = "--dkms-source-url",
      paramLabel = "URL",
      description = "The archive of the driver's sources. Default: $DKMS_SOURCE_URL.")
  private @Nullable String archive;

  @Option(
      names = "--dkms-tag",
      paramLabel = "TAG",
      description = "The tag of the vendor's repositories to build from. Default: $DKMS_TAG.")
  private @Nullable String tag;

  @Option(
      names = "--dkms-platform",
      paramLabel = "PLATFORM",
      description = "${COMPLETION-CANDIDATES}. Default: $DKMS_PLATFORM, then cassini.")
  private @Nullable Platform platform;

  @Option(
      names = "--dkms-repository",
      paramLabel = "NAME=URL@REF",
      description =
          "A repository instead of the vendor's: cxiDriver, sbl, slDriver or cassiniHeaders. Repeatable. Default: $DKMS_REPOSITORY_NAME.")
  private Map<String, String> repositories = Map.of();

  @Option(
      names = "--prebuilt-url",
      paramLabel = "URL",
      description = "Where prebuilt modules are. Default: $PREBUILT_URL.")
  private @Nullable String prebuilt;

  @Option(
      names = "--poll-interval",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "How often devices are looked at. Default: 30s.")
  private Duration poll = Duration.ZERO;

  @Option(
      names = "--switch-id-mask",
      paramLabel = "BITS",
      defaultValue = "0",
      description = "The bits of an address that are the switch's; 0 for 0xfffc0. Default: 0.")
  private String mask = "0";

  @Option(names = "--disable-labels", description = "Write no labels of devices to the Node.")
  private boolean unlabelled;

  @Option(
      names = "--resource-name",
      paramLabel = "NAME",
      description =
          "The resource that pods request to get a device. Default: $RESOURCE_NAME, then hpe.com/cxi.")
  private @Nullable String resource;

  @Option(
      names = "--retry-handler-mode",
      paramLabel = "MODE",
      description =
          "With daemonset, a device without a retry handler is Degraded. Default: $RETRY_HANDLER_MODE, then none.")
  private @Nullable RetryHandlerMode handlers;

  @Option(
      names = "--host-command",
      paramLabel = "WORDS",
      description =
          "What precedes each program of the host. Default: the host's chroot to its root; with --host-root, its programs come first.")
  private @Nullable String hostCommand;

  @Option(
      names = "--dkms-root",
      paramLabel = "FOLDER",
      description = "The tree of DKMS. Default: var/lib/dkms.")
  private @Nullable Path dkms;

  @Option(
      names = "--state-root",
      paramLabel = "FOLDER",
      description = "What the agent keeps. Default: var/lib/cxi-driver.")
  private @Nullable Path state;

  @Option(
      names = "--module-cache",
      paramLabel = "FOLDER",
      description =
          "Modules that were built; nodes may share it. Default: modules in --state-root.")
  private @Nullable Path cache;

  private final Map<String, String> environment;

  DriverAgentOptions() {
    this(System.getenv());
  }

  DriverAgentOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  private String given(@Nullable String flag, String variable) {
    return flag == null ? environment.getOrDefault(variable, "") : flag;
  }

  private <E extends Enum<E>> E given(
      @Nullable E flag, String variable, Class<E> values, E otherwise) {
    String text = environment.getOrDefault(variable, "");
    if (flag != null || text.isBlank()) {
      return flag == null ? otherwise : flag;
    }
    return Arrays.stream(values.getEnumConstants())
        .filter(each -> each.name().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "$%s is \"%s\", and must be one of %s"
                        .formatted(variable, text, Arrays.toString(values.getEnumConstants()))));
  }

  /**
   * @throws CommandFailure for an invalid flag
   */
  DriverAgentSettings settings() {
    String name = given(node, "NODE_NAME");
    if (name.isBlank()) {
      throw CommandFailure.usage("which node? Give --node-name, or set $NODE_NAME");
    }
    if (!poll.isPositive()) {
      throw CommandFailure.usage("--poll-interval must be positive");
    }
    DriverTarget target = target();
    if (!target.problems().isEmpty()) {
      throw CommandFailure.usage(String.join("; ", target.problems()));
    }
    return new DriverAgentSettings(
        name,
        namespace(),
        environment.getOrDefault("POD_UID", ""),
        target,
        poll,
        mask(),
        !unlabelled,
        given(handlers, "RETRY_HANDLER_MODE", RetryHandlerMode.class, RetryHandlerMode.none)
            == RetryHandlerMode.daemonset);
  }

  String namespace() {
    return environment.getOrDefault("NAMESPACE", "slingshot-system");
  }

  String resource() {
    String name = given(resource, "RESOURCE_NAME");
    return name.isBlank() ? CxiNames.DEFAULT_RESOURCE : name;
  }

  private int mask() {
    try {
      return Integer.decode(mask);
    } catch (NumberFormatException none) {
      throw CommandFailure.usage(
          "--switch-id-mask \"%s\" is not a number; write it like 0xfffc0".formatted(mask));
    }
  }

  private DriverTarget target() {
    Map<String, String> named = new TreeMap<>();
    environment.forEach(
        (key, value) -> {
          if (key.startsWith(REPOSITORY)) {
            named.put(key.substring(REPOSITORY.length()), value);
          }
        });
    named.putAll(repositories);
    EffectiveSpec.Source from =
        new EffectiveSpec.Source(
            given(source, "DRIVER_SOURCE_TYPE", SourceType.class, SourceType.preinstalled),
            text(given(archive, "DKMS_SOURCE_URL")),
            text(given(prebuilt, "PREBUILT_URL")),
            text(given(tag, "DKMS_TAG")),
            given(platform, "DKMS_PLATFORM", Platform.class, Platform.cassini),
            named);
    String wanted = given(version, "CXI_DRIVER_VERSION");
    return new DriverTarget(
        text(given(revision, "CXI_DRIVER_REVISION"))
            .orElseGet(() -> EffectiveSpec.revision(wanted, from)),
        wanted,
        from.type(),
        from.archive().orElse(null),
        from.prebuiltCache().orElse(null),
        from.tag().orElse(null),
        from.platform(),
        named);
  }

  private static Optional<String> text(String text) {
    return Optional.of(text).filter(each -> !each.isBlank());
  }

  private boolean isRealHost() {
    return roots.root().equals(Path.of("/"));
  }

  /** What is not mounted into the agent's pod is found by way of the host's first process. */
  AgentFolders folders() {
    HostRoots host = roots.roots();
    AgentFolders mounted = AgentFolders.below(roots.root(), host);
    AgentFolders other =
        isRealHost() ? AgentFolders.below(host.proc().resolve("1/root"), host) : mounted;
    Path keeps = Objects.requireNonNullElse(state, mounted.state());
    return new AgentFolders(
        host,
        Objects.requireNonNullElse(dkms, mounted.dkms()),
        keeps,
        Objects.requireNonNullElse(cache, keeps.resolve("modules")),
        other.podLogs(),
        other.podResources());
  }

  HostCommand hostCommand() {
    if (hostCommand != null) {
      return HostCommand.words(List.of(hostCommand.strip().split("\\s+", -1)));
    }
    return isRealHost()
        ? HostCommand.chroot(roots.roots().proc().resolve("1/root"))
        : HostCommand.programsIn(roots.root());
  }
}
