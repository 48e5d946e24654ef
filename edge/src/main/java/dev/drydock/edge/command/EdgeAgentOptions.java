package dev.drydock.edge.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Drains the node before its machine is rebooted, shut down or updated. */
@Command(addMethodSubcommands = false)
public final class EdgeAgentOptions implements AgentRole {
  @Mixin private EdgeRootOptions roots = new EdgeRootOptions();

  @Option(
      names = "--edge-clustered",
      paramLabel = "auto|true|false",
      defaultValue = "auto",
      description =
          "Whether this node belongs to a cluster with other nodes. auto: as EVE's"
              + " EdgeNodeClusterConfig says; without one, if the cluster has more than one node."
              + " Default: auto.")
  private String clustered = "";

  @Option(
      names = "--edge-node-uuid",
      paramLabel = "UUID",
      defaultValue = "",
      description =
          "Find this node by its label node-uuid instead of --node-name. Default: by name.")
  private String uuid = "";

  @Option(
      names = "--edge-settings",
      paramLabel = "FILE",
      description =
          "Settings by their EVE names as a JSON object, such as {\"kubernetes.drain.timeout\":"
              + " 12}. EVE's own ConfigItemValueMap comes first. Default: none.")
  private @Nullable Path settingsFile;

  @Option(
      names = "--edge-turns",
      paramLabel = "true|false",
      arity = "1",
      defaultValue = "true",
      description =
          "Drain one node of the cluster at a time, and keep etcd's quorum. false: all at once, as"
              + " EVE does. Default: true.")
  private boolean turns;

  @Option(
      names = "--edge-last-check",
      paramLabel = "true|false",
      arity = "1",
      defaultValue = "true",
      description =
          "Check volumes and etcd again just before the machine goes down. Default: true.")
  private boolean lastCheck;

  @Option(
      names = "--edge-on-failure",
      paramLabel = "keep|uncordon",
      defaultValue = "keep",
      description =
          "What happens to the node if its drain fails. keep: it stays cordoned. uncordon: it is"
              + " uncordoned. Default: keep.")
  private OnFailure onFailure = OnFailure.keep;

  @Option(
      names = "--edge-skip-wait",
      paramLabel = "TIME",
      defaultValue = "0s",
      description =
          "Do not wait for pods whose deletion is overdue by more than this; 0s waits for all."
              + " Default: 0s.")
  private Duration skipWait = Duration.ZERO;

  @Option(
      names = "--edge-unknown-wait",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "How long an operation waits while it is unknown whether the node is in a cluster. It is"
              + " then carried out. Default: 60s.")
  private Duration patience = Duration.ZERO;

  @Option(
      names = "--edge-poll",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "How often to check files where the file system reports no changes. Default: 30s.")
  private Duration poll = Duration.ZERO;

  @Option(
      names = "--edge-reboot-command",
      paramLabel = "COMMAND",
      defaultValue = "systemctl reboot",
      description = "What reboots the machine. Default: systemctl reboot.")
  private String reboot = "";

  @Option(
      names = "--edge-shutdown-command",
      paramLabel = "COMMAND",
      defaultValue = "systemctl halt",
      description = "What shuts the machine down. Default: systemctl halt.")
  private String shutdown = "";

  @Option(
      names = "--edge-poweroff-command",
      paramLabel = "COMMAND",
      defaultValue = "systemctl poweroff",
      description = "What powers the machine off. Default: systemctl poweroff.")
  private String poweroff = "";

  @Option(
      names = "--edge-logind",
      paramLabel = "true|false",
      arity = "1",
      defaultValue = "false",
      description =
          "Also delay shutdowns by logind, such as systemctl reboot, until the node is drained."
              + " Raise InhibitDelayMaxSec in logind.conf. Default: false.")
  private boolean logind;

  @Option(
      names = "--edge-device-log",
      paramLabel = "FOLDER",
      description =
          "Write a device log in the format of EVE's newlogd there, where that does not run."
              + " Default: none.")
  private @Nullable Path deviceLog;

  @Option(
      names = "--edge-device-log-megabytes",
      paramLabel = "NUMBER",
      defaultValue = "2048",
      description =
          "How much of the device log is kept, at most a tenth of the disk. Default: 2048.")
  private long deviceLogMegabytes;

  private enum OnFailure {
    keep,
    uncordon
  }

  @Override
  public List<String> summary() {
    return List.of(
        "drains the node before its machine is rebooted, shut down or updated (drydock edge).",
        "Runs on the machine itself.");
  }

  /**
   * The settings that the flags say.
   *
   * @throws CommandFailure for an invalid flag
   */
  public EdgeAgentSettings settings(String node, String namespace, String identity) {
    require(poll.isPositive(), "--edge-poll must be more than 0");
    require(deviceLogMegabytes > 0, "--edge-device-log-megabytes must be at least 1");
    return new EdgeAgentSettings(
        node,
        uuid,
        namespace,
        identity,
        roots.paths(),
        clustered(),
        Optional.ofNullable(settingsFile),
        turns,
        lastCheck,
        onFailure == OnFailure.keep,
        skipWait,
        patience,
        poll,
        Map.of(
            EdgeOperation.REBOOT,
            words("--edge-reboot-command", reboot),
            EdgeOperation.SHUTDOWN,
            words("--edge-shutdown-command", shutdown),
            EdgeOperation.POWEROFF,
            words("--edge-poweroff-command", poweroff)));
  }

  private ClusterMembership.Wanted clustered() {
    return switch (clustered) {
      case "auto" -> ClusterMembership.Wanted.AUTO;
      case "true" -> ClusterMembership.Wanted.YES;
      case "false" -> ClusterMembership.Wanted.NO;
      default ->
          throw CommandFailure.usage(
              "--edge-clustered: \"%s\" is neither auto, true nor false".formatted(clustered));
    };
  }

  private static List<String> words(String flag, String command) {
    require(!command.isBlank(), flag + " is empty; name a program, such as systemctl reboot");
    return List.of(command.strip().split("\\s+", -1));
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw CommandFailure.usage(message);
    }
  }

  @Override
  public void check() {
    var _ = settings("", "", "");
  }

  @Override
  public Running start(AgentContext context) throws IOException {
    return EdgeProcess.start(
        context,
        settings(context.node(), context.namespace(), context.identity()),
        new EdgeProcess.Extras(logind, Optional.ofNullable(deviceLog), deviceLogMegabytes));
  }
}
