package dev.drydock.edge.record;

import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Where the records are. On EVE some of these folders are those of a container, so each root can be
 * set.
 *
 * @param run what is gone after a boot, {@code /run}
 * @param persist what stays, {@code /persist}
 * @param temporary {@code /tmp}
 */
public record EdgePaths(Path run, Path persist, Path temporary) {
  private static final String FORCE = "force-NodeDrainStatus-global.json";

  /** The request of zedagent or of baseosmgr. */
  public Path request(DrainRequester requester) {
    String publisher = requester == DrainRequester.UPDATE ? "baseosmgr" : "zedagent";
    return run.resolve(publisher).resolve("NodeDrainRequest").resolve("global.json");
  }

  public Path status() {
    return run.resolve("zedkube").resolve("NodeDrainStatus").resolve("global.json");
  }

  /** One per requester, beside the record that has room for one. */
  public Path statusFor(DrainRequester requester) {
    return run.resolve("zedkube")
        .resolve("NodeDrainStatusByRequester")
        .resolve(requester.name().toLowerCase(Locale.ROOT) + ".json");
  }

  public Path nodeAgentStatus() {
    return run.resolve("nodeagent").resolve("NodeAgentStatus").resolve("nodeagent.json");
  }

  public Path clusterConfig() {
    return run.resolve("zedagent").resolve("EdgeNodeClusterConfig").resolve("global.json");
  }

  public Path configItems() {
    return run.resolve("zedagent").resolve("ConfigItemValueMap").resolve("global.json");
  }

  /** The first that exists counts. */
  public List<Path> force() {
    return List.of(persist.resolve("kube-status").resolve(FORCE), temporary.resolve(FORCE));
  }

  public Path faultInjection() {
    return temporary.resolve("DrainStatus_FaultInjection_Wait");
  }

  /** EVE's own writer of the device log, while it runs. */
  public Path newlogd() {
    return run.resolve("newlogd.pid");
  }

  /** The last command of a controller, by its counter. */
  public Path counter(EdgeOperation operation) {
    return persist.resolve("status").resolve(operation.word() + "Config");
  }

  /** What the agent itself remembers until the next boot. */
  public Path drain() {
    return run.resolve("drydock-edge").resolve("drain.json");
  }

  /** The name of the node that was cordoned. */
  public Path nodeName() {
    return run.resolve("drydock-edge").resolve("node");
  }

  /** What holds the drain up, for people. */
  public Path progress() {
    return run.resolve("drydock-edge").resolve("progress.json");
  }

  public Path operations() {
    return own().resolve("operations");
  }

  /** What somebody asks for; the agent takes it away. */
  public Path asked(EdgeOperation operation) {
    return operations().resolve("asked-" + operation.word() + ".json");
  }

  /** The last request that the agent did not take. */
  public Path refused(EdgeOperation operation) {
    return run.resolve("drydock-edge").resolve("refused-" + operation.word() + ".json");
  }

  public Path operation(EdgeOperation operation) {
    return operations().resolve(operation.word() + ".json");
  }

  /** A person calls everything off by making this file. */
  public Path cancel() {
    return operations().resolve("cancel");
  }

  /** Whether this node was in a cluster when that was last known. */
  public Path membership() {
    return own().resolve("membership.json");
  }

  /** The last drains. */
  public Path history() {
    return own().resolve("drains.json");
  }

  public Path updateLog() {
    return own().resolve("os-update.log");
  }

  private Path own() {
    return persist.resolve("drydock-edge");
  }

  /** The folders in which others write. */
  public List<Path> watched() {
    return List.of(
        folder(request(DrainRequester.DEVICEOP)),
        folder(request(DrainRequester.UPDATE)),
        folder(clusterConfig()),
        folder(configItems()),
        operations(),
        persist.resolve("kube-status"),
        temporary);
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? file : folder;
  }
}
