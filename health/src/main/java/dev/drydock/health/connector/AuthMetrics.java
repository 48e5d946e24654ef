package dev.drydock.health.connector;

import dev.drydock.health.connector.decide.Refusal;
import io.micrometer.core.instrument.MeterRegistry;

/** The numbers of checked callers under the original's names, on nodes and centrally. */
public record AuthMetrics(MeterRegistry meters) {
  private void count(String name, String tag, String value) {
    meters.counter("platform_connector_auth_" + name, tag, value).increment();
  }

  /** A caller whose token says on which node its pod runs, or does not. */
  public void claim(boolean present) {
    count("node_claim", "result", present ? "verified" : "absent");
  }

  /** A caller that may send what it sends. */
  public void decided(boolean crossNode) {
    count("decisions", "decision", crossNode ? "cross_node" : "node_local");
  }

  public void refused(Refusal refusal) {
    count("violations", "reason", refusal.reason());
  }
}
