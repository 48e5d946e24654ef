package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.kube.VersionedObject;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A LifecycleEvent as it was read: what decisions need, and what writing back needs. Its identity,
 * marks and deletion can always be read, so that a drain ends with its event whatever else is wrong
 * with it.
 */
public record LifecycleEventObject(ApiObject object, LifecycleEventFacts facts)
    implements VersionedObject {
  /** Reads an event; the facts say so if its deadline cannot be read. */
  public static LifecycleEventObject read(String group, JsonNode event) {
    ApiObject object = ApiObject.of(event);
    JsonNode status = object.status();
    Optional<Instant> sla = Optional.empty();
    String fault = "";
    try {
      sla = status.hasNonNull("sla") ? Optional.of(Fields.time(status, "sla")) : Optional.empty();
    } catch (DateTimeException unreadable) {
      fault = "status.sla \"%s\" is not a time".formatted(text(status, "sla"));
    }
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
            sla,
            text(status, "message"),
            fault));
  }

  /**
   * For watches that only report what cannot be read.
   *
   * @throws UnreadableObject if there is such a thing
   */
  static @Nullable LifecycleEventObject check(String group, JsonNode event) {
    LifecycleEventObject read = read(group, event);
    if (!read.facts().fault().isEmpty()) {
      throw new UnreadableObject("LifecycleEvent " + read.facts().ref(), read.facts().fault());
    }
    return null;
  }

  /** The node that the event is for. */
  public String node() {
    return text(object.spec(), "bindingNode");
  }

  /** Whether the drain driver has placed its hold for the event. */
  public boolean isNodeHeld() {
    return object.annotations().containsKey(LifecycleNames.NODE_HELD);
  }

  /** Who else holds the node for what the event is about. */
  public Optional<String> behalf() {
    return Optional.ofNullable(object.annotations().get(LifecycleNames.ON_BEHALF_OF))
        .filter(holder -> !holder.isEmpty());
  }
}
