package dev.drydock.app.fleet;

import dev.drydock.drain.decide.LabelSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Some nodes of a fleet. Beside the labels that nodes have, {@code zone}, {@code rack} and {@code
 * pool} mean what the fleet file calls so.
 *
 * @param names these, if there are any
 * @param selector all of them that have these labels
 * @param atMost only so many of them, the first ones by name; 0 for all
 */
public record NodeChoice(List<String> names, LabelSelector selector, int atMost) {
  private static final Map<String, String> SHORT =
      Map.of("zone", Pool.ZONE_LABEL, "rack", Pool.RACK_LABEL, "pool", Pool.POOL_LABEL);

  public NodeChoice {
    names = List.copyOf(names);
  }

  public static NodeChoice labelled(LabelSelector selector) {
    return new NodeChoice(List.of(), selector, 0);
  }

  /** In the order of the fleet. */
  public List<String> of(Fleet fleet) {
    Set<String> wanted = Set.copyOf(names);
    return fleet.pools().stream()
        .flatMap(
            pool ->
                pool.nodes().stream()
                    .filter(node -> wanted.isEmpty() || wanted.contains(node.name()))
                    .filter(node -> selector.matches(withShortNames(pool.labelsOf(node)))))
        .map(Pool.Node::name)
        .limit(atMost == 0 ? Long.MAX_VALUE : atMost)
        .toList();
  }

  private static Map<String, String> withShortNames(Map<String, String> labels) {
    Map<String, String> more = new HashMap<>(labels);
    SHORT.forEach(
        (name, label) -> {
          String value = labels.get(label);
          if (value != null) {
            more.putIfAbsent(name, value);
          }
        });
    return more;
  }

  @Override
  public String toString() {
    String first = names.stream().limit(3).collect(Collectors.joining(" "));
    String named = names.size() > 3 ? first + " and " + (names.size() - 3) + " more" : first;
    String labelled = selector.toString();
    String all = names.isEmpty() && labelled.isEmpty() ? "all nodes" : (named + " " + labelled);
    return (atMost == 0 ? all : "the first " + atMost + " of " + all.strip()).strip();
  }
}
