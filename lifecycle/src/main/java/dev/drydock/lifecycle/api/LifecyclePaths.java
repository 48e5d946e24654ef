package dev.drydock.lifecycle.api;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Source;
import dev.drydock.lifecycle.decide.LifecycleRef;

/** Where things are in the API. */
public final class LifecyclePaths {
  private static final String NODES = "/api/v1/nodes";

  private LifecyclePaths() {}

  public static String node(String name) {
    return NODES + "/" + ApiCall.encode(name);
  }

  static Source nodeAlone(String name) {
    return new Source(NODES, field("metadata.name", name));
  }

  static final Source ALL_NODES = new Source(NODES, "");

  static String group(String group) {
    return "/apis/" + group + "/" + LifecycleNames.VERSION;
  }

  public static Source events(String group) {
    return new Source(group(group) + "/" + LifecycleNames.EVENTS, "");
  }

  static Source eventsOf(String group, String node) {
    return new Source(events(group).path(), field("spec.bindingNode", node));
  }

  static Source transitions(String group) {
    return new Source(group(group) + "/" + LifecycleNames.TRANSITIONS, "");
  }

  public static String event(LifecycleRef event) {
    return events(event.group()).path() + "/" + ApiCall.encode(event.name());
  }

  public static String transition(LifecycleRef transition) {
    return transitions(transition.group()).path() + "/" + ApiCall.encode(transition.name());
  }

  private static String field(String name, String value) {
    return "fieldSelector=" + ApiCall.encode(name + "=" + value);
  }
}
