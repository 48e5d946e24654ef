package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.DrainScope;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The MaintenanceClass and the MaintenanceCampaign of a roll-out, as they are written. What decides
 * who may leave, and when, is the campaign's; there is no other scheduler.
 */
public final class RolloutObjects {
  private static final int LONGEST_LABEL = 63;
  private static final int MOST_DEVICES = 8;
  private static final Predicate<String> SWITCHES =
      Pattern.compile("slingshot\\.hpe\\.com/cxi\\d-switch-id").asMatchPredicate();

  private final DriverIdentity driver;
  private final EffectiveSpec spec;
  private final String name;
  private final Collection<CxiNode> nodes;

  /**
   * @param name of class and campaign
   * @param nodes of the driver: their devices decide which budgets by switch there are
   */
  public RolloutObjects(
      DriverIdentity driver, EffectiveSpec spec, String name, Collection<CxiNode> nodes) {
    this.driver = driver;
    this.spec = spec;
    this.name = name;
    this.nodes = nodes;
  }

  /** Names are also values of labels, which are shorter than names of objects. */
  public static String name(String driver, long generation) {
    String name = driver + "-rollout-" + generation;
    if (name.length() <= LONGEST_LABEL) {
      return name;
    }
    String mark = "-" + Tree.hash(name);
    return name.substring(0, LONGEST_LABEL - mark.length()).replaceAll("[.-]+$", "") + mark;
  }

  /**
   * Only for maintenances of the operator's namespace: a tenant's would leave without a place in
   * the roll-out. The budgets are the campaign's, for nodes that users choose.
   *
   * @param campaigns UIDs of those that it is for
   */
  public Map<String, Object> maintenanceClass(Collection<String> campaigns) {
    boolean everything = spec.update().scope() == DrainScope.Node;
    Map<String, Object> policy =
        Tree.of(
            "requestsResource",
            everything ? null : spec.devicePlugin().resourceName(),
            // what uses the driver has to go, whoever made it
            "force",
            true,
            "ignoreDaemonSets",
            true,
            "deleteEmptyDirData",
            true,
            "deadlineSeconds",
            spec.update().deadlineSeconds(),
            "atDeadline",
            spec.update().atDeadline() == null ? null : spec.update().atDeadline().name());
    Map<String, Object> body =
        Tree.of(
            "drain",
            Tree.of("builtin", Tree.of("policy", policy)),
            "maintenance",
            Tree.of("outside", Tree.of()),
            "validation",
            Tree.of("outside", Tree.of()),
            "budgets",
            budgets());
    return object(
        MaintenanceClass.KIND,
        Tree.of(
            CampaignNames.ALLOWED_NAMESPACES,
            driver.namespace(),
            CxiNames.CAMPAIGNS,
            campaigns.isEmpty() ? null : String.join(",", campaigns)),
        body);
  }

  private List<Map<String, Object>> budgets() {
    List<Map<String, Object>> budgets = new ArrayList<>();
    budgets.add(
        Tree.of(
            "key",
            CxiNames.DRIVER_LABEL,
            "maxUnavailable",
            amount(spec.update().maxUnavailable())));
    spec.update()
        .perSwitch()
        .ifPresent(
            most ->
                switches()
                    .forEach(key -> budgets.add(Tree.of("key", key, "maxUnavailable", most))));
    return budgets;
  }

  /**
   * The labels for the switches of all devices that nodes have, at least of the first one. Agents
   * write them, so one that makes labels up must not end the roll-out of others.
   */
  private Stream<String> switches() {
    return Stream.concat(
            Stream.of(CxiNames.FIRST_SWITCH),
            nodes.stream().flatMap(node -> node.labels().keySet().stream()).filter(SWITCHES))
        .distinct()
        .sorted()
        .limit(MOST_DEVICES);
  }

  public Map<String, Object> campaign() {
    Map<String, Object> body =
        Tree.of(
            "nodeSelector",
            Tree.of(
                "matchLabels",
                Tree.of(CxiNames.DRIVER_LABEL, driver.name(), CxiNames.ROLLOUT_LABEL, name),
                "matchExpressions",
                List.of(
                    Tree.of(
                        "key",
                        CxiNames.SKIP_UPDATE,
                        "operator",
                        "NotIn",
                        "values",
                        List.of("true")))),
            "maintenanceClass",
            name,
            "namespace",
            driver.namespace(),
            "budgets",
            budgets(),
            "canary",
            Tree.of("nodes", 1),
            "stopOnFailures",
            1,
            "paused",
            spec.update().paused(),
            "order",
            "soonest");
    return object(MaintenanceCampaign.KIND, Tree.of(), body);
  }

  /** Numbers are written as such. */
  private static Object amount(String maxUnavailable) {
    return maxUnavailable.endsWith("%") ? maxUnavailable : Integer.valueOf(maxUnavailable);
  }

  /** The maintenance of a node whose agent a user deleted; no campaign is involved. */
  public Map<String, Object> maintenance(String node) {
    String own = name + "-" + node;
    return Tree.of(
        "apiVersion",
        NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION,
        "kind",
        NotifyMaintenance.KIND,
        "metadata",
        Tree.of(
            "name",
            own.length() <= 253 ? own : name + "-" + Tree.hash(node),
            "namespace",
            driver.namespace(),
            "labels",
            Tree.of(CxiNames.MANAGED_BY, CxiNames.OPERATOR, CxiNames.INSTANCE, driver.name()),
            "ownerReferences",
            driver.owner()),
        "spec",
        Tree.of(
            "nodeObject",
            node,
            "maintenanceID",
            name,
            "maintenanceType",
            "planned",
            "owner",
            "CXIDriver " + driver.name(),
            "maintenanceClass",
            name));
  }

  private Map<String, Object> object(
      String kind, Map<String, Object> more, Map<String, Object> body) {
    Map<String, Object> annotations = new LinkedHashMap<>(more);
    annotations.put(CxiNames.HASH, Tree.hash(List.of(more, body)));
    annotations.put(CxiNames.GENERATION, Long.toString(driver.generation()));
    return Tree.of(
        "apiVersion",
        MaintenanceCampaign.GROUP + "/" + MaintenanceCampaign.VERSION,
        "kind",
        kind,
        "metadata",
        Tree.of(
            "name",
            name,
            "labels",
            Tree.of(
                CxiNames.MANAGED_BY,
                CxiNames.OPERATOR,
                CxiNames.INSTANCE,
                driver.name(),
                CxiNames.REVISION_LABEL,
                spec.revision()),
            "annotations",
            annotations,
            "ownerReferences",
            driver.owner()),
        "spec",
        body);
  }
}
