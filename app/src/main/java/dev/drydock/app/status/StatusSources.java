package dev.drydock.app.status;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Reflector;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import org.jspecify.annotations.Nullable;

/** Where in the API the parts of a {@link StatusSnapshot} are. */
final class StatusSources {
  static final String NODES = "/api/v1/nodes";

  static final Reflector.Source MAINTENANCES =
      new Reflector.Source(NotifyMaintenanceObject.allPath(), "");

  static final Reflector.Source DRAINS =
      new Reflector.Source(
          "/apis/" + DrainRequest.GROUP + "/" + DrainRequest.VERSION + "/drainrequests", "");

  private StatusSources() {}

  /** Null for all. */
  static Reflector.Source nodes(@Nullable String selector) {
    return new Reflector.Source(
        NODES, selector == null ? "" : "labelSelector=" + ApiCall.encode(selector));
  }
}
