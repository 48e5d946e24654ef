package dev.drydock.drain.hold;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Source;

/** Where things are in the API. Names of objects need no encoding: the API allows no odd ones. */
public final class DrainApiPaths {
  public static final String NODES = "/api/v1/nodes";
  public static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

  public static final Source ALL_NODES = new Source(NODES, "");

  private DrainApiPaths() {}

  public static String node(String name) {
    return NODES + "/" + ApiCall.encode(name);
  }

  public static Source nodeAlone(String name) {
    return new Source(NODES, "fieldSelector=" + ApiCall.encode("metadata.name=" + name));
  }

  public static Source podsOn(String node) {
    return new Source("/api/v1/pods", "fieldSelector=" + ApiCall.encode("spec.nodeName=" + node));
  }

  /** All but those that no node has been found for. */
  public static final Source PODS_ON_NODES =
      new Source("/api/v1/pods", "fieldSelector=" + ApiCall.encode("spec.nodeName!="));

  /** Of one namespace, or of all for an empty name. */
  public static Source budgets(String namespace) {
    String in = namespace.isEmpty() ? "" : "/namespaces/" + namespace;
    return new Source("/apis/policy/v1" + in + "/poddisruptionbudgets", "");
  }

  public static String pod(String namespace, String name) {
    return "/api/v1/namespaces/%s/pods/%s".formatted(namespace, name);
  }

  /** Of all namespaces. */
  public static final Source DRAIN_REQUESTS =
      new Source("/apis/" + DrainRequest.GROUP + "/" + DrainRequest.VERSION + "/drainrequests", "");

  public static String drainRequests(String namespace) {
    return "/apis/%s/%s/namespaces/%s/drainrequests"
        .formatted(DrainRequest.GROUP, DrainRequest.VERSION, namespace);
  }

  public static String drainRequest(String namespace, String name) {
    return drainRequests(namespace) + "/" + name;
  }

  public static String maintenance(String namespace, String name) {
    return "/apis/%s/%s/namespaces/%s/%s/%s"
        .formatted(
            NotifyMaintenance.GROUP,
            NotifyMaintenance.VERSION,
            namespace,
            NotifyMaintenance.PLURAL,
            name);
  }
}
