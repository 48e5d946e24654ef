package dev.drydock.demo;

import io.fabric8.kubernetes.api.model.Node;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Records which nodes were out of service, and how many of a zone at the same time. */
final class Departures {
  private final Map<String, Set<String>> outByZone = new TreeMap<>();
  private final Map<String, Integer> mostByZone = new TreeMap<>();
  private final Set<String> ever = new TreeSet<>();

  synchronized void see(Node node) {
    String name = node.getMetadata().getName();
    String zone = node.getMetadata().getLabels().getOrDefault(DemoClusterView.ZONE, "");
    Set<String> out = outByZone.computeIfAbsent(zone, _ -> new HashSet<>());
    if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      out.add(name);
      ever.add(name);
    } else {
      out.remove(name);
    }
    mostByZone.merge(zone, out.size(), Math::max);
  }

  synchronized Set<String> ever() {
    return new TreeSet<>(ever);
  }

  synchronized Map<String, Integer> mostAtOnce() {
    return new TreeMap<>(mostByZone);
  }
}
