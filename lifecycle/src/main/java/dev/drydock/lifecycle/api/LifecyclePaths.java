package dev.drydock.lifecycle.api;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.lifecycle.decide.TransitionFacts;

/** Where things are in the API. */
public final class LifecyclePaths {
  private LifecyclePaths() {}

  static String group(String group) {
    return "/apis/" + group + "/" + LifecycleNames.VERSION;
  }

  public static Resource eventKind(String group) {
    return Resource.cluster(group, LifecycleNames.VERSION, LifecycleNames.EVENTS, "LifecycleEvent");
  }

  public static Resource transitionKind(String group) {
    return Resource.cluster(
        group, LifecycleNames.VERSION, LifecycleNames.TRANSITIONS, "LifecycleTransition");
  }

  public static Source events(String group) {
    return eventKind(group).all();
  }

  static Source eventsOf(String group, String node) {
    return events(group).fieldSelector("spec.bindingNode=" + node);
  }

  /** The identity of a transition, which is all that its deletion needs. */
  public static ApiObject identified(TransitionFacts transition) {
    return ApiObject.identified("", transition.ref().name(), transition.uid(), "");
  }

  public static String transition(LifecycleRef transition) {
    return transitionKind(transition.group()).path("", transition.name());
  }
}
