package dev.drydock.lifecycle.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Delete;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Writes LifecycleEvents. Writes that depend on the state of an event fail if it has changed;
 * continue with the returned event.
 */
public final class LifecycleEventWriter {
  private static final int LONGEST_MESSAGE = 2000;

  private final KubeHttp http;

  public LifecycleEventWriter(KubeHttp http) {
    this.http = http;
  }

  /** Marks it as about to be claimed by us; from then on it cannot vanish. */
  public LifecycleEventObject mark(LifecycleEventObject event, String claimer) {
    return send(
        event,
        Patch.ifUnchanged(kind(event), event.object())
            .addFinalizer(LifecycleNames.CLAIM_FINALIZER)
            .annotation(LifecycleNames.CLAIMED_BY, claimer));
  }

  /** Notes that the drain driver has placed its hold for it. */
  public void noteHeld(LifecycleEventObject event, String holder) {
    var _ =
        send(
            event,
            Patch.sameUid(kind(event), event.object())
                .annotation(LifecycleNames.NODE_HELD, holder));
  }

  public LifecycleEventObject claim(
      LifecycleEventObject event, String driver, Optional<Instant> sla) {
    String end = sla.map(time -> time.truncatedTo(ChronoUnit.SECONDS).toString()).orElse(null);
    return send(
        event,
        Patch.ifUnchanged(kind(event), event.object())
            .status(
                status ->
                    status
                        .put("claimStatus", ClaimStatus.Claimed.name())
                        .put("driver", driver)
                        .put("sla", end)
                        .putNull("message")));
  }

  /** How it ended. */
  public LifecycleEventObject end(LifecycleEventObject event, ClaimStatus outcome, String why) {
    return end(event, outcome, why, Optional.empty());
  }

  /**
   * Ends it for a claimer that is not there; a conflict if it has changed, because its claimer may
   * have claimed it just now.
   */
  public LifecycleEventObject endUnattended(
      LifecycleEventObject event, ClaimStatus outcome, String why) {
    return send(
        event,
        Patch.ifUnchanged(kind(event), event.object())
            .status(
                status -> status.put("claimStatus", outcome.name()).put("message", bounded(why))));
  }

  /**
   * How it ended.
   *
   * @param driver of an event that was never claimed, if one is to blame
   */
  public LifecycleEventObject end(
      LifecycleEventObject event, ClaimStatus outcome, String why, Optional<String> driver) {
    return send(
        event,
        Patch.sameUid(kind(event), event.object())
            .status(
                status -> {
                  status.put("claimStatus", outcome.name()).put("message", bounded(why));
                  driver.ifPresent(name -> status.put("driver", name));
                }));
  }

  /** What it waits for; empty for nothing. */
  public LifecycleEventObject writeMessage(LifecycleEventObject event, String what) {
    return send(
        event,
        Patch.sameUid(kind(event), event.object())
            .status(status -> status.put("message", what.isEmpty() ? null : bounded(what))));
  }

  /** Names of pods and budgets, and what webhooks say, are of any length. */
  private static String bounded(String message) {
    return ShortText.of(message, LONGEST_MESSAGE);
  }

  /** Removes our finalizer, then deletes the event; finalizers of others may still keep it. */
  public void releaseAndDelete(LifecycleEventObject event) {
    if (event.facts().guarded()) {
      Optional<JsonNode> after =
          Patch.ifUnchanged(kind(event), event.object())
              .removeFinalizer(LifecycleNames.CLAIM_FINALIZER)
              .sendIfExists(http);
      if (after.isEmpty()) {
        return;
      }
    }
    Delete.sameUid(kind(event), event.object()).send(http);
  }

  private LifecycleEventObject send(LifecycleEventObject event, Patch patch) {
    return LifecycleEventObject.read(event.facts().ref().group(), patch.send(http));
  }

  private static Resource kind(LifecycleEventObject event) {
    return LifecyclePaths.eventKind(event.facts().ref().group());
  }
}
