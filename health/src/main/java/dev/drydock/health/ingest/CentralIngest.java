package dev.drydock.health.ingest;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.AuthMetrics;
import dev.drydock.health.connector.BatchKey;
import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.CallLimit;
import dev.drydock.health.connector.EventIntake;
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
  private final EventIntake intake;
  private final MeterRegistry meters;
  private final AuthMetrics auth;

  /**
   * @param intake of events that no connector has taken before
   */
  public CentralIngest(
      IngestDecider decider,
      CallHeaders.TokenCheck tokens,
      EventStore store,
      EventIntake intake,
      MeterRegistry meters) {
    this(decider, Optional.of(tokens), store, intake, meters);
  }

  private CentralIngest(
      IngestDecider decider,
      Optional<CallHeaders.TokenCheck> tokens,
      EventStore store,
      EventIntake intake,
      MeterRegistry meters) {
    this.decider = decider;
    this.tokens = tokens;
    this.store = store;
    this.intake = intake;
    this.meters = meters;
    auth = new AuthMetrics(meters);
  }

  /** One that trusts every caller, for development. */
  public static CentralIngest unchecked(
      EventStore store, EventIntake intake, MeterRegistry meters) {
    return new CentralIngest(
        new IngestDecider(Set.of(UNCHECKED), Set.of()), Optional.empty(), store, intake, meters);
  }

  /** To be served. */
  public ServerServiceDefinition service() {
    return EventService.of(this, meters, new CallLimit(this::admission, BOUNDS));
  }

  private CallLimit.Admission admission(CallHeaders headers) {
    Credentials credentials = credentials(headers);
    if (credentials instanceof Credentials.Verified verified) {
      auth.claim(verified.identity().node().isPresent());
    }
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
    switch (decider.decide(
        credentials(headers), headers.idempotencyKeys(), headers.spool(), batch)) {
      case IngestDecider.Verdict.Refused refused -> throw refused(refused.refusal());
      case IngestDecider.Verdict.Forwarded _ -> {
        auth.decided(true);
        requireReady();
        append(batch); // checked and transformed on the node
      }
      case IngestDecider.Verdict.Accepted accepted -> {
        auth.decided(accepted.crossNode());
        requireReady();
        take(accepted, headers);
      }
    }
  }

  private void requireReady() throws StatusException {
    Optional<String> unready = store.unready();
    if (unready.isPresent()) {
      refusals("index_unverified");
      throw Status.UNAVAILABLE.withDescription(unready.get()).asException();
    }
  }

  private StatusException refused(Refusal refusal) {
    count(refusal);
    return EventService.status(refusal);
  }

  private void count(Refusal refusal) {
    if (refusal.reason().equals(IngestDecider.IDEMPOTENCY_KEY)) {
      refusals(refusal.reason());
    } else {
      auth.refused(refusal);
    }
  }

  private void refusals(String reason) {
    meters.counter("platform_connector_deployment_refusals", "reason", reason).increment();
  }

  private void take(IngestDecider.Verdict.Accepted accepted, CallHeaders headers)
      throws StatusException {
    Optional<Refusal> refusal = BatchCheck.refusal(accepted.batch());
    if (refusal.isPresent()) {
      throw EventService.status(refusal.get());
    }
    String trace = headers.trace();
    intake.take(
        accepted.batch().stream().map(event -> BatchCheck.normal(event, trace)).toList(),
        // after the transformers, which must not change the keys
        events -> append(new BatchKey(accepted.key()).on(events)));
  }

  private void append(List<HealthEvent> events) throws StatusException {
    if (events.isEmpty()) {
      return;
    }
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
