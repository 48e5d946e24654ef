package dev.drydock.app.status;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Source;
import org.jspecify.annotations.Nullable;

/** The API paths of the parts of a {@link StatusSnapshot}. */
final class StatusSources {
  static final String NODES = "/api/v1/nodes";

  private StatusSources() {}

  /** Null for all. */
  static Source nodes(@Nullable String selector) {
    return new Source(NODES, selector == null ? "" : "labelSelector=" + ApiCall.encode(selector));
  }
}
