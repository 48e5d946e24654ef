package dev.drydock.simulate.fleet;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects nodes of a fleet. Besides real labels, {@code node}, {@code zone}, {@code rack} and
 * {@code pool} refer to the fleet file's fields.
 *
 * @param names these nodes, if not empty
 * @param selector nodes with these labels
 * @param atMost the maximum number, the first ones by name; 0 for all
 */
public record NodeSelection(List<String> names, LabelSelector selector, int atMost) {
  private static final String NODE = "node";
  private static final Map<String, String> SHORT =
      Map.of("zone", Pool.ZONE_LABEL, "rack", Pool.RACK_LABEL, "pool", Pool.POOL_LABEL);
  private static final List<String> NAMES = List.of(NODE, "pool", "zone", "rack");

  public NodeSelection {
    names = List.copyOf(names);
  }

  public static NodeSelection labelled(LabelSelector selector) {
    return new NodeSelection(List.of(), selector, 0);
  }

  /** In the order of the fleet. */
  public List<String> of(Fleet fleet) {
    Set<String> wanted = Set.copyOf(names);
    return fleet.pools().stream()
        .flatMap(
            pool ->
                pool.nodes().stream()
                    .filter(node -> wanted.isEmpty() || wanted.contains(node.name()))
                    .filter(node -> selector.matches(withShortNames(pool, node))))
        .map(Pool.Node::name)
        .limit(atMost == 0 ? Long.MAX_VALUE : atMost)
        .toList();
  }

  private static Map<String, String> withShortNames(Pool pool, Pool.Node node) {
    Map<String, String> labels = pool.labelsOf(node);
    Map<String, String> more = new HashMap<>(labels);
    more.putIfAbsent(NODE, node.name());
    SHORT.forEach(
        (name, label) -> {
          String value = labels.get(label);
          if (value != null) {
            more.putIfAbsent(name, value);
          }
        });
    return more;
  }

  /** A suggestion after "no node has these labels": a similar value, or the existing ones. */
  public String hint(Fleet fleet) {
    List<String> bare = new ArrayList<>();
    for (Requirement requirement : selector.requirements()) {
      if (requirement.operator() == LabelSelector.Operator.EXISTS) {
        bare.add(requirement.key().replaceFirst("^nodes?/", ""));
      }
      Set<String> known = values(requirement.key(), fleet);
      if (requirement.operator() == LabelSelector.Operator.IN
          && requirement.values().stream().noneMatch(known::contains)
          && !known.isEmpty()) {
        return NameSuggestion.meant(requirement.values().first(), known);
      }
    }
    for (String name : NAMES) {
      if (!bare.isEmpty() && values(name, fleet).containsAll(bare)) {
        return "; did you mean %s?"
            .formatted(
                bare.size() == 1
                    ? name + "=" + bare.getFirst()
                    : "'" + name + " in (" + String.join(",", bare) + ")'");
      }
    }
    boolean unknown =
        selector.requirements().stream().anyMatch(each -> values(each.key(), fleet).isEmpty());
    return unknown
        ? "; choose nodes by node=NAME, pool=NAME, zone=NAME, rack=NAME, or a label that they have"
        : "";
  }

  /** All values of a label in the fleet. */
  private static Set<String> values(String key, Fleet fleet) {
    Set<String> values = new LinkedHashSet<>();
    for (Pool pool : fleet.pools()) {
      for (Pool.Node node : pool.nodes()) {
        String value = withShortNames(pool, node).get(key);
        if (value != null) {
          values.add(value);
        }
      }
    }
    return values;
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
