package dev.drydock.slingshot.decide;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node was like before its update, and when its check began. Kept in an annotation of its
 * maintenance, so that whoever takes over judges by the same facts.
 *
 * @param revision that is installed by this maintenance
 * @param agent the UID of the driver agent's pod that has to be replaced; empty if there was none,
 *     or one that installs the revision already
 * @param linksUp the devices, and whether their links were up
 * @param checkedSince when the check began, with the counters of then
 */
public record NodeBaseline(
    String revision,
    String version,
    String agent,
    Map<String, Boolean> linksUp,
    Optional<Instant> checkedSince,
    Map<String, CounterGate.Counters> counters) {

  static NodeBaseline of(CxiNode node, String template, String revision, String version) {
    Map<String, Boolean> links = new TreeMap<>();
    node.devices().forEach((name, device) -> links.put(name, device.up()));
    return new NodeBaseline(
        revision,
        version,
        node.agent()
            .filter(agent -> !agent.template().equals(template))
            .map(CxiNode.Agent::uid)
            .orElse(""),
        links,
        Optional.empty(),
        Map.of());
  }

  NodeBaseline checkedFrom(Instant now, CxiNode node) {
    Map<String, CounterGate.Counters> all = new TreeMap<>();
    node.devices().forEach((name, device) -> all.put(name, device.counters()));
    return new NodeBaseline(revision, version, agent, linksUp, Optional.of(now), all);
  }

  /** The form in which it is kept. */
  public Map<String, Object> tree() {
    Map<String, Object> devices = new LinkedHashMap<>();
    linksUp.forEach((name, up) -> devices.put(name, up));
    Map<String, Object> counted = new LinkedHashMap<>();
    counters.forEach(
        (name, each) ->
            counted.put(
                name,
                Tree.of(
                    "flaps", each.linkFlaps(), "pcie", each.pcieErrors(), "nacks", each.nacks())));
    return Tree.of(
        "revision",
        revision,
        "version",
        version,
        "agent",
        agent,
        "linksUp",
        devices,
        "checkedSince",
        checkedSince.map(Instant::toString).orElse(null),
        "counters",
        counted.isEmpty() ? null : counted);
  }

  public static NodeBaseline read(Map<String, Object> tree) {
    Map<String, Boolean> links = new TreeMap<>();
    Tree.child(tree, "linksUp").forEach((name, up) -> links.put(name, Boolean.TRUE.equals(up)));
    Map<String, CounterGate.Counters> counters = new TreeMap<>();
    Map<String, Object> counted = Tree.child(tree, "counters");
    counted
        .keySet()
        .forEach(
            name -> {
              Map<String, Object> each = Tree.child(counted, name);
              counters.put(
                  name,
                  new CounterGate.Counters(
                      number(each, "flaps"), number(each, "pcie"), number(each, "nacks")));
            });
    String since = Tree.text(tree, "checkedSince");
    return new NodeBaseline(
        Tree.text(tree, "revision"),
        Tree.text(tree, "version"),
        Tree.text(tree, "agent"),
        links,
        since.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(since)),
        counters);
  }

  private static long number(Map<String, Object> tree, String key) {
    return tree.get(key) instanceof Number number ? number.longValue() : 0;
  }
}
