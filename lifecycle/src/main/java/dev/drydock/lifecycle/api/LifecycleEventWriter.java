package dev.drydock.lifecycle.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes LifecycleEvents. What depends on how an event stands is refused if it has changed since;
 * the event that is returned is the one to go on from.
 */
public final class LifecycleEventWriter {
  private final KubeHttp http;

  public LifecycleEventWriter(KubeHttp http) {
    this.http = http;
  }

  /** Marks it as about to be claimed by us; from then on it cannot vanish. */
  public LifecycleEventObject mark(LifecycleEventObject event, String claimer) {
    List<String> finalizers = new ArrayList<>(event.finalizers());
    if (!finalizers.contains(LifecycleNames.CLAIM_FINALIZER)) {
      finalizers.add(LifecycleNames.CLAIM_FINALIZER);
    }
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("resourceVersion", event.version());
    metadata.set("finalizers", array(finalizers));
    metadata.putObject("annotations").put(LifecycleNames.CLAIMED_BY, claimer);
    return patch(event, "", patch);
  }

  public LifecycleEventObject claim(
      LifecycleEventObject event, String driver, Optional<Instant> sla) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("resourceVersion", event.version());
    ObjectNode status = patch.putObject("status");
    status.put("claimStatus", ClaimStatus.Claimed.name()).put("driver", driver);
    status.put("sla", sla.map(end -> end.truncatedTo(ChronoUnit.SECONDS).toString()).orElse(null));
    status.putNull("message");
    return patch(event, "/status", patch);
  }

  /** How it ended. */
  public LifecycleEventObject end(LifecycleEventObject event, ClaimStatus outcome, String why) {
    ObjectNode patch = sameEvent(event);
    patch.putObject("status").put("claimStatus", outcome.name()).put("message", why);
    return patch(event, "/status", patch);
  }

  /** What it waits for; empty for nothing. */
  public LifecycleEventObject remark(LifecycleEventObject event, String what) {
    ObjectNode patch = sameEvent(event);
    patch.putObject("status").put("message", what.isEmpty() ? null : what);
    return patch(event, "/status", patch);
  }

  /** Lets it go; afterwards it is deleted, as far as nobody else's finalizer keeps it. */
  public void letGo(LifecycleEventObject event) {
    if (event.facts().guarded()) {
      List<String> others = new ArrayList<>(event.finalizers());
      others.remove(LifecycleNames.CLAIM_FINALIZER);
      ObjectNode patch = Json.object();
      ObjectNode metadata = patch.putObject("metadata");
      metadata.put("uid", event.facts().uid()).put("resourceVersion", event.version());
      metadata.set("finalizers", array(others));
      KubeAnswer answer =
          http.send(ApiCall.mergePatch(LifecyclePaths.event(event.facts().ref()), text(patch)));
      if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        return;
      }
      var _ = answer.orThrow(what(event));
    }
    ObjectNode options = Json.object();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", event.facts().uid());
    KubeAnswer answer =
        http.send(ApiCall.delete(LifecyclePaths.event(event.facts().ref()), text(options)));
    if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND
        && answer.code() != HttpURLConnection.HTTP_CONFLICT) {
      var _ = answer.orThrow(what(event));
    }
  }

  /** The UID keeps the words about this event from a new one of the same name. */
  private static ObjectNode sameEvent(LifecycleEventObject event) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", event.facts().uid());
    return patch;
  }

  /**
   * Writes, and reads the answer.
   *
   * @throws ApiFailure if it was refused or is gone
   */
  private LifecycleEventObject patch(
      LifecycleEventObject event, String subresource, ObjectNode patch) {
    String path = LifecyclePaths.event(event.facts().ref()) + subresource;
    return LifecycleEventObject.read(
        event.facts().ref().group(),
        http.send(ApiCall.mergePatch(path, text(patch))).orThrow(what(event)));
  }

  private static String text(ObjectNode object) {
    return object.toString();
  }

  private static ArrayNode array(List<String> texts) {
    ArrayNode array = Json.array();
    texts.forEach(array::add);
    return array;
  }

  private static String what(LifecycleEventObject event) {
    return "LifecycleEvent " + event.facts().ref();
  }
}
