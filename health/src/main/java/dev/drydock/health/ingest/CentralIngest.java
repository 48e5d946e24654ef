package dev.drydock.health.ingest;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.EventService;
import dev.drydock.health.connector.NodeConnector;
import dev.drydock.health.connector.decide.BatchCheck;
import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherIdentity;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.ingest.decide.IngestDecider;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import io.grpc.Status;
import io.grpc.StatusException;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes batches of connectors and of monitors that call it directly, and acknowledges them when
 * they are in the event store. A batch that comes again is stored once.
 */
public final class CentralIngest implements EventService.Handler {
  private static final Logger LOG = LoggerFactory.getLogger(CentralIngest.class);

  /** Who calls where callers are not checked, for development only. */
  private static final String UNCHECKED = "unchecked";

  private final IngestDecider decider;
  private final Optional<CallHeaders.TokenCheck> tokens;
  private final EventStore store;
  private final MeterRegistry meters;

  /**
   * @param tokens empty to trust every caller, for development
   */
  public CentralIngest(
      IngestDecider decider,
      Optional<CallHeaders.TokenCheck> tokens,
      EventStore store,
      MeterRegistry meters) {
    this.decider = decider;
    this.tokens = tokens;
    this.store = store;
    this.meters = meters;
  }

  /** A decider that takes every caller for a connector, as {@code tokens} is empty. */
  public static IngestDecider unchecked() {
    return new IngestDecider(Set.of(UNCHECKED), Set.of());
  }

  @Override
  public void handle(List<HealthEvent> batch, CallHeaders headers) throws StatusException {
    meters.counter("platform_connector_health_events_received").increment(batch.size());
    Credentials credentials =
        tokens
            .map(headers::credentials)
            .orElseGet(
                () ->
                    new Credentials.Verified(
                        new PublisherIdentity(UNCHECKED, Optional.empty(), Optional.empty())));
    IngestDecider.Verdict verdict =
        decider.decide(credentials, headers.idempotencyKeys(), headers.spool(), batch);
    List<HealthEvent> events =
        switch (verdict) {
          case IngestDecider.Verdict.Refused refused -> throw refused(refused.refusal());
          case IngestDecider.Verdict.Forwarded forwarded -> forwarded(forwarded.spool(), batch);
          case IngestDecider.Verdict.Accepted accepted ->
              keyed(accepted.keyPrefix(), batch, headers);
        };
    Optional<String> unready = store.unready();
    if (unready.isPresent()) {
      meters
          .counter("platform_connector_deployment_refusals", "reason", "index_unverified")
          .increment();
      throw Status.UNAVAILABLE.withDescription(unready.get()).asException();
    }
    if (!events.isEmpty()) {
      append(events);
    }
  }

  private StatusException refused(Refusal refusal) {
    if (refusal.reason().equals("idempotency_key")) {
      meters
          .counter("platform_connector_deployment_refusals", "reason", refusal.reason())
          .increment();
    } else {
      meters.counter("platform_connector_auth_violations", "reason", refusal.reason()).increment();
    }
    return EventService.status(refusal);
  }

  /** Already checked and transformed on the node; only the keys are looked at. */
  private List<HealthEvent> forwarded(String spool, List<HealthEvent> batch)
      throws StatusException {
    for (HealthEvent event : batch) {
      String key = event.metadata().getOrDefault(HealthNames.IDEMPOTENCY_KEY, "");
      if (!key.startsWith(spool + "#")) {
        throw refused(
            new Refusal(
                Refusal.Kind.INVALID_ARGUMENT,
                "idempotency_key",
                "an event's key does not begin with the id of the spool"));
      }
    }
    return batch;
  }

  private List<HealthEvent> keyed(String prefix, List<HealthEvent> batch, CallHeaders headers)
      throws StatusException {
    Optional<Refusal> refusal = BatchCheck.refusal(batch);
    if (refusal.isPresent()) {
      throw EventService.status(refusal.get());
    }
    String trace = headers.traceId().orElseGet(NodeConnector::newTrace);
    List<HealthEvent> events = new ArrayList<>(batch.size());
    for (HealthEvent event : batch) {
      HealthEvent.Builder builder = BatchCheck.normal(event).toBuilder();
      if (!event.metadata().containsKey(HealthNames.TRACE_ID)) {
        builder.metadata(HealthNames.TRACE_ID, trace);
      }
      events.add(builder.metadata(HealthNames.IDEMPOTENCY_KEY, prefix + events.size()).build());
    }
    return events;
  }

  private void append(List<HealthEvent> events) throws StatusException {
    try {
      Appended appended = store.append(events);
      meters
          .counter(
              "platform_connector_store_batches",
              "outcome",
              appended.duplicates() == events.size() ? "duplicate" : "stored")
          .increment();
    } catch (StoreUnavailable failed) {
      LOG.warn("a batch of {} events is not stored: {}", events.size(), failed.getMessage());
      throw Status.UNAVAILABLE.withDescription("the event store does not answer").asException();
    }
  }
}
