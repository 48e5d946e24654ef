package dev.drydock.drain.hold;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;

/** Where things are in the API. */
public final class DrainApiPaths {
  public static final Resource REQUESTS =
      Resource.namespaced(
          DrainRequest.GROUP, DrainRequest.VERSION, "drainrequests", DrainRequest.KIND);

  public static final String NODES = Resource.NODES.collection("");

  public static final Source ALL_NODES = Resource.NODES.all();

  /** All but those that no node has been found for. */
  public static final Source PODS_ON_NODES = Resource.PODS.all().fieldSelector("spec.nodeName!=");

  /** Of all namespaces. */
  public static final Source DRAIN_REQUESTS = REQUESTS.all();

  private DrainApiPaths() {}

  public static String node(String name) {
    return Resource.NODES.path("", name);
  }

  public static Source nodeAlone(String name) {
    return Resource.NODES.named(name);
  }

  public static Source podsOn(String node) {
    return Resource.PODS.all().fieldSelector("spec.nodeName=" + node);
  }

  /** Of one namespace, or of all for an empty name. */
  public static Source budgets(String namespace) {
    return Resource.BUDGETS.in(namespace);
  }

  public static String pod(String namespace, String name) {
    return Resource.PODS.path(namespace, name);
  }

  public static String drainRequests(String namespace) {
    return REQUESTS.collection(namespace);
  }

  public static String drainRequest(String namespace, String name) {
    return REQUESTS.path(namespace, name);
  }
}
