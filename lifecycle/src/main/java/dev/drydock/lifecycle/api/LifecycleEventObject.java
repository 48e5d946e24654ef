package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Fields;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A LifecycleEvent as it was read: what decisions need, and what writing back needs.
 *
 * @param version its resourceVersion
 * @param behalf who else holds the node for what the event is about
 */
public record LifecycleEventObject(
    LifecycleEventFacts facts,
    String node,
    String version,
    List<String> finalizers,
    Optional<String> behalf) {
  public LifecycleEventObject {
    finalizers = List.copyOf(finalizers);
  }

  public static LifecycleEventObject read(String group, JsonNode event) {
    JsonNode metadata = event.path("metadata");
    JsonNode spec = event.path("spec");
    JsonNode status = event.path("status");
    List<String> finalizers = list(metadata.path("finalizers"));
    LifecycleEventFacts facts =
        new LifecycleEventFacts(
            new LifecycleRef(group, text(metadata, "name")),
            text(metadata, "uid"),
            text(spec, "transitionName"),
            Fields.time(metadata, "creationTimestamp"),
            metadata.hasNonNull("deletionTimestamp"),
            finalizers.contains(LifecycleNames.CLAIM_FINALIZER),
            metadata.path("annotations").hasNonNull(LifecycleNames.CLAIMED_BY),
            ClaimStatus.of(text(status, "claimStatus")),
            status.hasNonNull("sla") ? Optional.of(sla(status)) : Optional.empty(),
            text(status, "message"));
    return new LifecycleEventObject(
        facts,
        text(spec, "bindingNode"),
        text(metadata, "resourceVersion"),
        finalizers,
        Optional.of(text(metadata.path("annotations"), LifecycleNames.ON_BEHALF_OF))
            .filter(holder -> !holder.isEmpty()));
  }

  private static Instant sla(JsonNode status) {
    return Fields.time(status, "sla");
  }

  boolean isNewerThan(LifecycleEventObject other) {
    return ResourceVersion.isNewer(version, other.version);
  }

  /** The newer of two looks at the same event. */
  public LifecycleEventObject or(LifecycleEventObject other) {
    return other.isNewerThan(this) ? other : this;
  }
}
