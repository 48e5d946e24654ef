package dev.drydock.edge.control;

import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.record.EdgePaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an agent at the edge works.
 *
 * @param node its name
 * @param nodeUuid its label {@code node-uuid}, by which EVE's nodes are found; empty to use the
 *     name
 * @param cordNamespace where the andon cord is
 * @param identity of this process among those that want a Lease
 * @param settingsFile the settings by their original names, where no EVE publishes them
 * @param turns whether nodes go one at a time
 * @param lastCheck whether the cluster is looked at once more before the machine goes
 * @param keepsCordon whether a node whose drain failed stays cordoned
 * @param skipWait terminating pods are not waited for if their deletion is overdue by more than
 *     this; zero to wait for all
 * @param patience how long an operation waits for a drain status early in the boot
 * @param poll how often files are checked where the file system reports no changes
 * @param commands what is run for each operation
 */
public record EdgeAgentSettings(
    String node,
    String nodeUuid,
    String cordNamespace,
    String identity,
    EdgePaths paths,
    ClusterMembership.Wanted clustered,
    Optional<Path> settingsFile,
    boolean turns,
    boolean lastCheck,
    boolean keepsCordon,
    Duration skipWait,
    Duration patience,
    Duration poll,
    Map<EdgeOperation, List<String>> commands) {
  public EdgeAgentSettings {
    commands = Map.copyOf(commands);
  }

  /** Who holds the node. */
  public String holder() {
    return HOLDER_PREFIX + node;
  }

  static final String HOLDER_PREFIX = "edge/";
}
