package dev.drydock.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/**
 * An API resource.
 *
 * @param group empty for the core group
 * @param kind for messages, e.g. {@code NotifyMaintenance}
 */
public record Resource(
    String group, String version, String plural, String kind, boolean namespaced) {
  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  public static final Resource NODES = cluster("", "v1", "nodes", "Node");
  public static final Resource NAMESPACES = cluster("", "v1", "namespaces", "Namespace");
  public static final Resource PODS = namespaced("", "v1", "pods", "Pod");
  public static final Resource CONFIG_MAPS = namespaced("", "v1", "configmaps", "ConfigMap");
  public static final Resource SECRETS = namespaced("", "v1", "secrets", "Secret");
  public static final Resource DAEMON_SETS = namespaced("apps", "v1", "daemonsets", "DaemonSet");
  public static final Resource REPLICA_SETS = namespaced("apps", "v1", "replicasets", "ReplicaSet");
  public static final Resource STATEFUL_SETS =
      namespaced("apps", "v1", "statefulsets", "StatefulSet");
  public static final Resource REPLICATION_CONTROLLERS =
      namespaced("", "v1", "replicationcontrollers", "ReplicationController");
  public static final Resource LEASES = namespaced("coordination.k8s.io", "v1", "leases", "Lease");
  public static final Resource EVENTS = namespaced("", "v1", "events", "Event");
  public static final Resource JOBS = namespaced("batch", "v1", "jobs", "Job");
  public static final Resource BUDGETS =
      namespaced("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget");

  public static Resource cluster(String group, String version, String plural, String kind) {
    return new Resource(group, version, plural, kind, false);
  }

  public static Resource namespaced(String group, String version, String plural, String kind) {
    return new Resource(group, version, plural, kind, true);
  }

  /**
   * Whether an object may have this name: a DNS subdomain, as of nearly all kinds. References that
   * a user wrote may contain anything, and parts such as {@code ..} mean something in a path.
   */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /**
   * The path for listing and creating objects.
   *
   * @param namespace empty for all namespaces and for cluster-scoped kinds
   */
  public String collection(String namespace) {
    String root = (group.isEmpty() ? "/api/" : "/apis/") + apiVersion();
    String in =
        namespaced && !namespace.isEmpty() ? "/namespaces/" + ApiCall.encode(namespace) : "";
    return root + in + "/" + plural;
  }

  /** The path of an object; the namespace is empty for cluster-scoped kinds. */
  public String path(String namespace, String name) {
    return collection(namespace) + "/" + ApiCall.encode(name);
  }

  /**
   * An object of this kind to be created, with nothing but its name.
   *
   * @param namespace empty for cluster-scoped kinds
   */
  public ObjectNode manifest(String namespace, String name) {
    ObjectNode manifest = Json.object().put("apiVersion", apiVersion()).put("kind", kind);
    ObjectNode metadata = manifest.putObject("metadata").put("name", name);
    if (namespaced) {
      metadata.put("namespace", namespace);
    }
    return manifest;
  }

  /** All objects of the cluster. */
  public Source all() {
    return in("");
  }

  public Source in(String namespace) {
    return Source.of(collection(namespace));
  }

  /** One object of a cluster-scoped kind, by name. */
  public Source named(String name) {
    return named("", name);
  }

  /** One object, by name. */
  public Source named(String namespace, String name) {
    return in(namespace).fieldSelector("metadata.name=" + name);
  }

  /** How an object of this kind is called in messages. */
  String describe(String namespace, String name) {
    return kind + " " + (namespaced && !namespace.isEmpty() ? namespace + "/" : "") + name;
  }
}
