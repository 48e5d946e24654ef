package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The maintenance of a node with a device whose retry handler crashed: it is drained, somebody
 * reboots it, and with its devices fit again it returns.
 *
 * @param name of the class, and the beginning of those of maintenances
 */
public record QuarantineMaintenance(DriverIdentity driver, String name) {
  private static final int LONGEST_NAME = 253;

  public static QuarantineMaintenance of(DriverIdentity driver) {
    return new QuarantineMaintenance(driver, name(driver.name()));
  }

  /** Names of classes are also values of labels, which are shorter than names of objects. */
  private static String name(String driver) {
    String name = driver + "-quarantine";
    return name.length() <= 63 ? name : "quarantine-" + Tree.hash(driver);
  }

  /** What is done about a node. */
  public sealed interface Step {
    /** Nothing, or nothing yet. */
    record Nothing() implements Step {}

    /** Take it out of service; the reason is for people. */
    record Raise(String reason) implements Step {}

    /** It was rebooted. */
    record Complete() implements Step {}
  }

  /**
   * Decides about one node.
   *
   * @param crashed why its devices are in quarantine, by device
   * @param boot the ID of its boot, as its kubelet says; empty if it does not
   * @param maintenance of this class
   * @param stopped whether nothing new may begin
   */
  public static Step next(
      CrashAction action,
      Map<String, String> crashed,
      boolean ready,
      String boot,
      Optional<CxiNode.Maintenance> maintenance,
      boolean stopped) {
    if (maintenance.isEmpty()) {
      return crashed.isEmpty() || action != CrashAction.quarantine || stopped
          ? new Step.Nothing()
          : new Step.Raise(
              crashed.entrySet().stream()
                  .sorted(Map.Entry.comparingByKey())
                  .map(each -> each.getKey() + ": " + each.getValue())
                  .collect(Collectors.joining("; ")));
    }
    // devices that are gone say nothing about a boot
    boolean rebooted =
        crashed.isEmpty()
            && ready
            && maintenance
                .get()
                .annotation(CxiNames.BOOT)
                .map(before -> !boot.isEmpty() && !boot.equals(before))
                .orElse(true);
    boolean waits =
        maintenance.get().state() == MaintenanceState.DRAINED
            && !maintenance.get().deleted()
            && maintenance.get().annotation(MaintenanceNames.MAINTENANCE_CLIENT).isEmpty();
    return rebooted && waits ? new Step.Complete() : new Step.Nothing();
  }

  /**
   * The class; without the label of roll-outs, so that its maintenances are not taken for theirs.
   */
  public Map<String, Object> maintenanceClass() {
    Map<String, Object> body =
        Tree.of(
            "drain",
            Tree.of(
                "builtin",
                Tree.of("policy", Tree.of("ignoreDaemonSets", true, "deleteEmptyDirData", true))),
            "maintenance",
            Tree.of("outside", Tree.of()),
            "validation",
            Tree.of("none", Tree.of()));
    return Tree.of(
        "apiVersion",
        MaintenanceClass.GROUP + "/" + MaintenanceClass.VERSION,
        "kind",
        MaintenanceClass.KIND,
        "metadata",
        Tree.of(
            "name",
            name,
            "labels",
            Tree.of(CxiNames.MANAGED_BY, CxiNames.OPERATOR),
            "annotations",
            Tree.of(CxiNames.HASH, Tree.hash(body)),
            "ownerReferences",
            driver.owner()),
        "spec",
        body);
  }

  public Map<String, Object> maintenance(String node, String boot, String reason) {
    String own = name + "-" + node;
    return Tree.of(
        "apiVersion",
        NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION,
        "kind",
        NotifyMaintenance.KIND,
        "metadata",
        Tree.of(
            "name",
            own.length() <= LONGEST_NAME ? own : name + "-" + Tree.hash(node),
            "namespace",
            driver.namespace(),
            "labels",
            Tree.of(CxiNames.MANAGED_BY, CxiNames.OPERATOR),
            "annotations",
            Tree.of(CxiNames.FAILURE, reason, CxiNames.BOOT, boot.isEmpty() ? null : boot)),
        "spec",
        Tree.of(
            "nodeObject",
            node,
            "maintenanceID",
            name,
            "maintenanceType",
            "unplanned",
            "owner",
            "CXIDriver " + driver.name(),
            "maintenanceClass",
            name));
  }
}
