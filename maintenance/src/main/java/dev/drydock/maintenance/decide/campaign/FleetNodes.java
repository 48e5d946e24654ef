package dev.drydock.maintenance.decide.campaign;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Every node of the cluster, and the departures. */
public record FleetNodes(Map<String, FleetNode> nodes, Map<String, Departure> departures) {
  public FleetNodes {
    nodes = Map.copyOf(nodes);
    departures = Map.copyOf(departures);
  }

  public static FleetNodes of(Collection<FleetNode> nodes, Collection<Departure> departures) {
    Map<String, FleetNode> byName = new LinkedHashMap<>();
    nodes.forEach(node -> byName.put(node.name(), node));
    return new FleetNodes(byName, Map.of()).with(departures);
  }

  /** A second departure of the same node changes nothing. */
  public FleetNodes with(Collection<Departure> more) {
    Map<String, Departure> all = new TreeMap<>(departures);
    more.forEach(departure -> all.putIfAbsent(departure.node(), departure));
    return new FleetNodes(nodes, all);
  }

  boolean isOut(FleetNode node) {
    return node.isOut() || departures.containsKey(node.name());
  }

  /** Why a node counts as out; absent if it is in service. */
  Optional<String> whyOut(FleetNode node) {
    if (node.isKeptOut()) {
      return Optional.of(node.whyOut());
    }
    Departure departure = departures.get(node.name());
    if (departure != null) {
      return Optional.of(departure.leavesFor());
    }
    return node.isOut() ? Optional.of(node.whyOut()) : Optional.empty();
  }
}
