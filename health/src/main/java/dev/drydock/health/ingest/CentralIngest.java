package dev.drydock.health.ingest;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.CallLimit;
import dev.drydock.health.connector.EventService;
import dev.drydock.health.connector.decide.BatchCheck;
import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherIdentity;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.ingest.decide.IngestDecider;
import dev.drydock.health.store.Appended;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreUnavailable;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
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

  /** An event that fits a connector's socket, 4 MiB, fits here with what the connector adds. */
  public static final int LARGEST_MESSAGE = 8 << 20;

  /**
   * Calls of further nodes wait. A connector makes one call at a time; a token that many make calls
   * with must not take the places of all nodes.
   */
  private static final CallLimit.Bounds BOUNDS =
      new CallLimit.Bounds(64, 16, 4, Duration.ofSeconds(10), Duration.ofSeconds(10));

  /** Who calls where callers are not checked, for development only. */
  private static final String UNCHECKED = "unchecked";

  private final IngestDecider decider;
  private final Optional<CallHeaders.TokenCheck> tokens;
  private final EventStore store;
  private final MeterRegistry meters;

  public CentralIngest(
      IngestDecider decider,
      CallHeaders.TokenCheck tokens,
      EventStore store,
      MeterRegistry meters) {
    this(decider, Optional.of(tokens), store, meters);
  }

  private CentralIngest(
      IngestDecider decider,
      Optional<CallHeaders.TokenCheck> tokens,
      EventStore store,
      MeterRegistry meters) {
    this.decider = decider;
    this.tokens = tokens;
    this.store = store;
    this.meters = meters;
  }

  /** One that trusts every caller, for development. */
  public static CentralIngest unchecked(EventStore store, MeterRegistry meters) {
    return new CentralIngest(
        new IngestDecider(Set.of(UNCHECKED), Set.of()), Optional.empty(), store, meters);
  }

  /** To be served. */
  public ServerServiceDefinition service() {
    return EventService.of(this, meters, new CallLimit(this::admission, BOUNDS));
  }

  private CallLimit.Admission admission(CallHeaders headers) {
    Credentials credentials = credentials(headers);
    Optional<Refusal> refusal = decider.admission(credentials);
    refusal.ifPresent(this::count);
    return refusal
        .<CallLimit.Admission>map(CallLimit.Admission.Refused::new)
        .orElseGet(() -> new CallLimit.Admission.Admitted(caller(credentials)));
  }

  private static Optional<String> caller(Credentials credentials) {
    return credentials instanceof Credentials.Verified verified
        ? verified.identity().podUid().filter(uid -> !uid.equals(UNCHECKED))
        : Optional.empty();
  }

  private Credentials credentials(CallHeaders headers) {
    return tokens
        .map(headers::credentials)
        .orElseGet(
            () ->
                new Credentials.Verified(
                    new PublisherIdentity(
                        UNCHECKED, Optional.of(UNCHECKED), Optional.of(UNCHECKED))));
  }

  @Override
  public void handle(List<HealthEvent> batch, CallHeaders headers) throws StatusException {
    meters.counter("platform_connector_health_events_received").increment(batch.size());
    IngestDecider.Verdict verdict =
        decider.decide(credentials(headers), headers.idempotencyKeys(), headers.spool(), batch);
    List<HealthEvent> events =
        switch (verdict) {
          case IngestDecider.Verdict.Refused refused -> throw refused(refused.refusal());
          // checked and transformed on the node
          case IngestDecider.Verdict.Forwarded _ -> batch;
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
    count(refusal);
    return EventService.status(refusal);
  }

  private void count(Refusal refusal) {
    if (refusal.reason().equals("idempotency_key")) {
      meters
          .counter("platform_connector_deployment_refusals", "reason", refusal.reason())
          .increment();
    } else {
      meters.counter("platform_connector_auth_violations", "reason", refusal.reason()).increment();
    }
  }

  private List<HealthEvent> keyed(String prefix, List<HealthEvent> batch, CallHeaders headers)
      throws StatusException {
    Optional<Refusal> refusal = BatchCheck.refusal(batch);
    if (refusal.isPresent()) {
      throw EventService.status(refusal.get());
    }
    String trace = headers.trace();
    List<HealthEvent> events = new ArrayList<>(batch.size());
    for (HealthEvent event : batch) {
      events.add(
          BatchCheck.normal(event, trace).toBuilder()
              .metadata(HealthNames.IDEMPOTENCY_KEY, prefix + events.size())
              .build());
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
