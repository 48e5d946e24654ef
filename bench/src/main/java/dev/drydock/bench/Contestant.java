package dev.drydock.bench;

import java.util.List;
import java.util.Set;

/** A peer, running as one process for all nodes or as one process per node. */
record Contestant(String name, Peer peer, boolean processPerNode) {
  static final String KUBECTL = "kubectl";
  static final String DRYDOCK = "drydock";
  static final String KUBECTL_PER_NODE = "kubectl-per-node";

  /** Drydock's driver with another claimer, {@link TickingClaimer}. */
  static final String TICKS = "10s-ticks";

  /** Drydock itself, without what makes the benchmark hard. */
  static final String UNHINDERED = "unhindered";

  /** The client library's informers in the place of Drydock's watches. */
  static final String INFORMERS = "informers";

  /** Drydock itself, with one node at a time. */
  static final String ONE_BY_ONE = "one-by-one";

  /** A small device plugin in Go, {@link GoDevicePlugin}. */
  static final String GO_PLUGIN = "go-plugin";

  /** The ideal client, where a benchmark is held to what the cluster itself takes. */
  static final String FLOOR = "floor";

  static Contestant of(Peer peer) {
    return new Contestant(peer.name(), peer, false);
  }

  /** Whether it can drain nodes on command. */
  boolean drains() {
    return !Set.of(TICKS, UNHINDERED, INFORMERS, ONE_BY_ONE, GO_PLUGIN).contains(name);
  }

  /** The commands to start concurrently. */
  List<List<String>> commands(List<String> nodes) {
    return processPerNode
        ? nodes.stream().map(node -> peer.drain(List.of(node))).toList()
        : List.of(peer.drain(nodes));
  }
}
