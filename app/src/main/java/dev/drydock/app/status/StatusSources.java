package dev.drydock.app.status;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Source;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import org.jspecify.annotations.Nullable;

/** The API paths of the parts of a {@link StatusSnapshot}. */
final class StatusSources {
  static final String NODES = "/api/v1/nodes";

  static final Source MAINTENANCES = new Source(NotifyMaintenanceObject.allPath(), "");

  static final Source DRAINS =
      new Source("/apis/" + DrainRequest.GROUP + "/" + DrainRequest.VERSION + "/drainrequests", "");

  private StatusSources() {}

  /** Null for all. */
  static Source nodes(@Nullable String selector) {
    return new Source(NODES, selector == null ? "" : "labelSelector=" + ApiCall.encode(selector));
  }
}
