package dev.drydock.app.status;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Reflector;
import dev.drydock.maintenance.control.MaintenanceSeen;
import org.jspecify.annotations.Nullable;

/** Where in the API the parts of a {@link Sight} are. */
final class Sources {
  static final String NODES = "/api/v1/nodes";

  static final Reflector.Source MAINTENANCES = new Reflector.Source(MaintenanceSeen.allPath(), "");

  static final Reflector.Source DRAINS =
      new Reflector.Source(
          "/apis/" + DrainRequest.GROUP + "/" + DrainRequest.VERSION + "/drainrequests", "");

  private Sources() {}

  /** Null for all. */
  static Reflector.Source nodes(@Nullable String selector) {
    return new Reflector.Source(
        NODES, selector == null ? "" : "labelSelector=" + ApiCall.encode(selector));
  }
}
