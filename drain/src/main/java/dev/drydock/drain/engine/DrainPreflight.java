package dev.drydock.drain.engine;

import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Gatherers;

/**
 * Nodes that are about to be drained together, read with as few requests as their number allows.
 */
final class DrainPreflight {
  private static final int READS_AT_ONCE = 16;

  /** Fewer nodes are read and watched one by one. */
  private static final int MANY = 5;

  /** Nodes are listed and watched together if at least one in this many is drained. */
  private static final int SHARE = 4;

  private final Kube kube;
  private final NodeHolds holds;

  /**
   * What was found: the holds of each node, and shared watches if most nodes of the cluster are
   * drained.
   */
  record Found(Map<String, Holds> holds, Optional<NodeWatches.Shared> watches) {}

  DrainPreflight(Kube kube, NodeHolds holds) {
    this.kube = kube;
    this.holds = holds;
  }

  /**
   * In the given order.
   *
   * @throws ApiFailure for one that does not exist or cannot be read
   */
  Found of(List<String> names) {
    Map<String, DrainNodeObject> seen = new ConcurrentHashMap<>();
    Optional<NodeWatches.Shared> watches = Optional.empty();
    if (names.size() >= MANY) {
      watches = list(names, seen);
    }
    names.stream()
        .filter(name -> !seen.containsKey(name))
        .gather(Gatherers.mapConcurrent(READS_AT_ONCE, holds::get))
        .forEach(node -> seen.put(node.name(), node));
    Map<String, Holds> found = new LinkedHashMap<>();
    for (String name : names) {
      DrainNodeObject node = seen.get(name);
      if (node != null) {
        found.put(name, node.holds());
        holds.remember(node);
      }
    }
    return new Found(found, watches);
  }

  /** Shared watches if enough nodes of the cluster are drained, and all of them exist. */
  private Optional<NodeWatches.Shared> list(
      Collection<String> names, Map<String, DrainNodeObject> seen) {
    NodeWatches.Shared watches = NodeWatches.Shared.of(kube, names);
    KubeAnswer answer =
        kube.http()
            .list(
                Resource.NODES.all(),
                names.size() * SHARE,
                object -> {
                  // One that is not drained is not read, so it cannot fail the drain of the others.
                  String name = Fields.text(object.path("metadata"), "name");
                  if (watches.nodes().isMember(name)) {
                    seen.put(name, DrainNodeObject.read(object));
                  }
                });
    boolean cutOff = !KubeHttp.continuation(answer).isEmpty();
    if (!answer.ok() || cutOff || seen.size() < names.size()) {
      return Optional.empty();
    }
    watches.start(seen.values(), answer.body().path("metadata").path("resourceVersion").asText());
    return Optional.of(watches);
  }
}
