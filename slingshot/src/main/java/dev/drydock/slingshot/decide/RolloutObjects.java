package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.DrainScope;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The MaintenanceClass and the MaintenanceCampaign of a roll-out, as they are written. What decides
 * who may leave, and when, is the campaign's; there is no other scheduler.
 */
public final class RolloutObjects {
  private static final int LONGEST_LABEL = 63;

  private final DriverIdentity driver;
  private final EffectiveSpec spec;
  private final String name;

  /**
   * @param name of class and campaign
   */
  public RolloutObjects(DriverIdentity driver, EffectiveSpec spec, String name) {
    this.driver = driver;
    this.spec = spec;
    this.name = name;
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

  public Map<String, Object> maintenanceClass() {
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
            Tree.of("outside", Tree.of()));
    return object(MaintenanceClass.KIND, body);
  }

  public Map<String, Object> campaign() {
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
            most -> budgets.add(Tree.of("key", CxiNames.FIRST_SWITCH, "maxUnavailable", most)));
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
            budgets,
            "canary",
            Tree.of("nodes", 1),
            "stopOnFailures",
            1,
            "paused",
            spec.update().paused(),
            "order",
            "soonest");
    return object(MaintenanceCampaign.KIND, body);
  }

  /** Numbers are written as such. */
  private static Object amount(String maxUnavailable) {
    return maxUnavailable.endsWith("%") ? maxUnavailable : Integer.valueOf(maxUnavailable);
  }

  /** For a node whose agent a user deleted; no campaign is involved. */
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
            Tree.of(CxiNames.MANAGED_BY, CxiNames.OPERATOR, CxiNames.INSTANCE, driver.name())),
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

  private Map<String, Object> object(String kind, Map<String, Object> body) {
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
            Tree.of(
                CxiNames.HASH, Tree.hash(body),
                CxiNames.GENERATION, Long.toString(driver.generation())),
            "ownerReferences",
            driver.owner()),
        "spec",
        body);
  }
}
