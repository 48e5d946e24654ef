package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Versioned;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.util.Optional;

/** A LifecycleEvent as it was read: what decisions need, and what writing back needs. */
public record LifecycleEventObject(ApiObject object, LifecycleEventFacts facts)
    implements Versioned {
  public static LifecycleEventObject read(String group, JsonNode event) {
    ApiObject object = ApiObject.of(event);
    JsonNode status = object.status();
    return new LifecycleEventObject(
        object,
        new LifecycleEventFacts(
            new LifecycleRef(group, object.name()),
            object.uid(),
            text(object.spec(), "transitionName"),
            object.created(),
            object.deleted(),
            object.hasFinalizer(LifecycleNames.CLAIM_FINALIZER),
            object.annotations().containsKey(LifecycleNames.CLAIMED_BY),
            ClaimStatus.of(text(status, "claimStatus")),
            status.hasNonNull("sla") ? Optional.of(Fields.time(status, "sla")) : Optional.empty(),
            text(status, "message")));
  }

  @Override
  public String uid() {
    return object.uid();
  }

  @Override
  public String version() {
    return object.version();
  }

  /** The node that the event is for. */
  public String node() {
    return text(object.spec(), "bindingNode");
  }

  /** Who else holds the node for what the event is about. */
  public Optional<String> behalf() {
    return Optional.ofNullable(object.annotations().get(LifecycleNames.ON_BEHALF_OF))
        .filter(holder -> !holder.isEmpty());
  }
}
