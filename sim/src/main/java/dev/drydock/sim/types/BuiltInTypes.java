package dev.drydock.sim.types;

import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.ResourceType.Names;
import dev.drydock.sim.api.TypeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The built-in types. */
public final class BuiltInTypes {
  public static final String DEFINITIONS_GROUP = "apiextensions.k8s.io";
  private static final String VERSION = "v1";
  private static final boolean NAMESPACED = true;
  private static final boolean IN_CLUSTER = false;

  /**
   * Kubernetes' own groups. A type missing in one of them is not simulated; in any other group it
   * is merely not defined.
   */
  public static final Set<String> GROUPS =
      Set.of(
          "",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "apiregistration.k8s.io",
          "apps",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "events.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io",
          "storagemigration.k8s.io");

  private BuiltInTypes() {}

  public static List<ResourceType> all() {
    List<ResourceType> types = new ArrayList<>();
    types.add(type("", "Namespace", IN_CLUSTER, new NamespaceRules(), "ns"));
    types.add(type("", "Node", IN_CLUSTER, new NodeRules(), "no"));
    types.add(type("", "Pod", NAMESPACED, new PodRules(), "po"));
    types.add(type("", "Event", NAMESPACED, new EventRules(false), "ev"));
    types.add(type("events.k8s.io", "Event", NAMESPACED, new EventRules(true), "ev"));
    types.add(type("", "ConfigMap", NAMESPACED, PlainRules.CONTENT, "cm"));
    types.add(type("", "Secret", NAMESPACED, new SecretRules()));
    types.add(type("", "ResourceQuota", NAMESPACED, new RefusedRules(), "quota"));
    types.add(type("", "LimitRange", NAMESPACED, new RefusedRules(), "limits"));
    types.add(type("", "ServiceAccount", NAMESPACED, PlainRules.CONTENT, "sa"));
    types.add(workload("", "ReplicationController", "rc"));
    types.add(workload("apps", "Deployment", "deploy"));
    types.add(workload("apps", "ReplicaSet", "rs"));
    types.add(workload("apps", "DaemonSet", "ds"));
    types.add(workload("apps", "StatefulSet", "sts"));
    types.add(type("batch", "Job", NAMESPACED, new JobRules()));
    types.add(type("policy", "PodDisruptionBudget", NAMESPACED, new BudgetRules(), "pdb"));
    types.add(type("coordination.k8s.io", "Lease", NAMESPACED, PlainRules.CONTENT));
    types.add(
        new ResourceType(
            "scheduling.k8s.io",
            VERSION,
            names("PriorityClass", "priorityclasses", "pc"),
            IN_CLUSTER,
            new PriorityClassRules()));
    for (String kind : List.of("Role", "RoleBinding")) {
      types.add(type("rbac.authorization.k8s.io", kind, NAMESPACED, PlainRules.CONTENT));
      types.add(
          type("rbac.authorization.k8s.io", "Cluster" + kind, IN_CLUSTER, PlainRules.CONTENT));
    }
    for (String kind : List.of("Mutating", "Validating")) {
      types.add(
          type(
              "admissionregistration.k8s.io",
              kind + "WebhookConfiguration",
              IN_CLUSTER,
              new WebhookRules()));
    }
    types.add(
        type(
            DEFINITIONS_GROUP,
            "CustomResourceDefinition",
            IN_CLUSTER,
            new DefinitionRules(),
            "crd",
            "crds"));
    return types;
  }

  private static ResourceType workload(String group, String kind, String shortName) {
    return type(group, kind, NAMESPACED, new WorkloadRules(kind), shortName);
  }

  private static ResourceType type(
      String group, String kind, boolean namespaced, TypeRules rules, String... shortNames) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    return new ResourceType(group, VERSION, names(kind, plural, shortNames), namespaced, rules);
  }

  private static Names names(String kind, String plural, String... shortNames) {
    return new Names(
        plural, kind.toLowerCase(Locale.ROOT), kind, kind + "List", List.of(shortNames));
  }
}
