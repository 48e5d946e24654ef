package dev.drydock.health.request.decide;

import dev.drydock.health.request.decide.MaintenanceRequestStep.Adopt;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Claim;
import dev.drydock.health.request.decide.MaintenanceRequestStep.End;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Open;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Say;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Wait;

/** Decides what is done for a MaintenanceRequest: one at a time is active on a node. */
public final class MaintenanceRequestDecider {
  public static final String INITIALIZING = "Initializing";
  public static final String EMITTED = "Emitted";
  public static final String EMIT_FAILED = "EmitFailed";
  public static final String BLOCKED = "Blocked";

  private MaintenanceRequestDecider() {}

  public static MaintenanceRequestStep decide(MaintenanceRequestFacts request) {
    if (request.deleted()) {
      return request.finalizer() ? new End(request.emitted() || request.isActive()) : new Wait();
    }
    if (request.problem().isPresent() && !request.emitted()) {
      return unless(request, EMIT_FAILED, request.problem().get());
    }
    if (!request.finalizer()) {
      return new Adopt();
    }
    if (request.reason().isEmpty()) {
      return new Say("Unknown", INITIALIZING, "not processed yet");
    }
    if (request.emitted()) {
      return new Wait();
    }
    if (!request.nodeExists()) {
      return unless(request, EMIT_FAILED, "node %s does not exist".formatted(request.node()));
    }
    if (request.holder().isEmpty()) {
      return new Claim();
    }
    return request.isActive()
        ? new Open()
        : unless(
            request,
            BLOCKED,
            "MaintenanceRequest %s is active on node %s; this one begins when that one is deleted"
                .formatted(request.holder(), request.node()));
  }

  private static MaintenanceRequestStep unless(
      MaintenanceRequestFacts request, String reason, String message) {
    return request.reason().equals(reason) ? new Wait() : new Say("False", reason, message);
  }
}
