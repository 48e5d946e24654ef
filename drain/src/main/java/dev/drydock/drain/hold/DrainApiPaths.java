package dev.drydock.drain.hold;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;

/** Where things are in the API. */
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
    return Resource.BUDGETS.in(namespace);
  }

  public static String pod(String namespace, String name) {
    return Resource.PODS.path(namespace, name);
  }

  /** Of all namespaces. */
  public static final Source DRAIN_REQUESTS =
      new Source("/apis/" + DrainRequest.GROUP + "/" + DrainRequest.VERSION + "/drainrequests", "");

  public static String drainRequests(String namespace) {
    return "/apis/%s/%s/namespaces/%s/drainrequests"
        .formatted(DrainRequest.GROUP, DrainRequest.VERSION, ApiCall.encode(namespace));
  }

  public static String drainRequest(String namespace, String name) {
    return drainRequests(namespace) + "/" + ApiCall.encode(name);
  }
}
