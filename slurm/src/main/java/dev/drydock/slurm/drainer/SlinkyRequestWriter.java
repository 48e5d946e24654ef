package dev.drydock.slurm.drainer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Typed;
import dev.drydock.slurm.drainer.decide.DrainAnswer;
import dev.drydock.slurm.drainer.decide.DrainAnswer.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Writes to DrainRequests; each write fails if the request changed since it was read. */
final class SlinkyRequestWriter {
  private final Kube kube;

  SlinkyRequestWriter(Kube kube) {
    this.kube = kube;
  }

  SlinkyRequestObject claim(SlinkyRequestObject request) {
    return send(
        unchanged(request)
            .addFinalizer(DrainRequest.SLINKY_FINALIZER)
            .annotation(SlinkyRequestObject.CLAIMED_NODE, request.node()));
  }

  /** The request may be gone afterwards. */
  void unclaim(SlinkyRequestObject request) {
    var _ =
        unchanged(request)
            .removeFinalizer(DrainRequest.SLINKY_FINALIZER)
            .annotation(SlinkyRequestObject.CLAIMED_NODE, null)
            .sendIfExists(kube.http());
  }

  SlinkyRequestObject answer(SlinkyRequestObject request, DrainAnswer answer) {
    return send(unchanged(request).status(status -> write(status, request, answer)));
  }

  private void write(ObjectNode status, SlinkyRequestObject request, DrainAnswer answer) {
    status.set("conditions", conditions(request, answer));
    status.put("podsGone", answer.gone());
    status.put("podsLeft", answer.left());
    if (!answer.pods().isEmpty()) {
      status.set("pods", Typed.tree(answer.pods()));
    }
    boolean over = answer.reason().isComplete() || answer.reason() == Reason.DrainTimeout;
    Optional<Eta> eta = over ? Optional.empty() : Optional.of(answer.eta());
    // In a merge patch null removes.
    status.put("eta", eta.map(Eta::toString).orElse(null));
    status.put("etaAtLeastSeconds", eta.map(each -> each.atLeast().toSeconds()).orElse(null));
    status.put("etaAtMostSeconds", eta.flatMap(Eta::atMost).map(Duration::toSeconds).orElse(null));
  }

  /** Clients wait for either name, so both always say the same. */
  private ArrayNode conditions(SlinkyRequestObject request, DrainAnswer answer) {
    boolean complete = answer.reason().isComplete();
    List<Condition> conditions =
        List.of(
            condition(DrainRequest.COMPLETE_CONDITION, complete, answer),
            condition(DrainRequest.COMPLETE_ALIAS_CONDITION, complete, answer),
            condition(
                DrainRequest.FAILED_CONDITION, answer.reason() == Reason.DrainTimeout, answer));
    return request
        .conditions()
        .with(conditions, request.object().generation(), kube.clock().instant());
  }

  private static Condition condition(String type, boolean value, DrainAnswer answer) {
    return Condition.of(type, value, answer.reason().name(), answer.message());
  }

  private static Patch unchanged(SlinkyRequestObject request) {
    return Patch.ifUnchanged(SlinkyRequestObject.RESOURCE, request.object());
  }

  private SlinkyRequestObject send(Patch patch) {
    return SlinkyRequestObject.read(patch.send(kube.http()));
  }
}
