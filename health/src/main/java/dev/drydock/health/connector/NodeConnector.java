package dev.drydock.health.connector;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.decide.BatchCheck;
import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherDecider;
import dev.drydock.health.connector.decide.PublisherScope;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.spool.Spool;
import dev.drydock.health.spool.SpoolFull;
import io.grpc.Status;
import io.grpc.StatusException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes batches on a node: checks, transforms, and acknowledges them when they are in the spool.
 */
public final class NodeConnector implements EventService.Handler {
  private static final Logger LOG = LoggerFactory.getLogger(NodeConnector.class);

  private final ConnectorConfig config;
  private final PublisherDecider publishers;
  private final CallHeaders.TokenCheck tokens;
  private final EventIntake intake;
  private final Spool spool;
  private final MeterRegistry meters;
  private final AuthMetrics auth;
  private final Runnable taken;

  /** What a connector works with. */
  public record Parts(
      CallHeaders.TokenCheck tokens, EventIntake intake, Spool spool, MeterRegistry meters) {}

  /**
   * @param node that it serves
   * @param taken called when the spool has more
   */
  public NodeConnector(ConnectorConfig config, String node, Parts parts, Runnable taken) {
    this.config = config;
    publishers =
        new PublisherDecider(node, config.auth().crossNodeAccounts(), config.auth().failOpen());
    this.tokens = parts.tokens();
    this.intake = parts.intake();
    this.spool = parts.spool();
    this.meters = parts.meters();
    auth = new AuthMetrics(meters);
    this.taken = taken;
  }

  @Override
  public void handle(List<HealthEvent> batch, CallHeaders headers) throws StatusException {
    meters.counter("platform_connector_health_events_received").increment(batch.size());
    authorize(batch, headers);
    Optional<Refusal> refusal = BatchCheck.refusal(batch);
    if (refusal.isPresent()) {
      throw EventService.status(refusal.get());
    }
    String trace = headers.trace();
    List<HealthEvent> events =
        publishers.named(batch).stream().map(event -> BatchCheck.normal(event, trace)).toList();
    if (events.isEmpty()) {
      return;
    }
    Optional<BatchKey> key = BatchKey.of(batch, headers.idempotencyKeys());
    intake.take(events, all -> keep(key.map(each -> each.on(all)).orElse(all)));
    taken.run();
  }

  private void authorize(List<HealthEvent> batch, CallHeaders headers) throws StatusException {
    if (!config.auth().nodeBinding()) {
      return;
    }
    Credentials credentials = headers.credentials(tokens);
    PublisherScope scope = publishers.scope(credentials);
    if (credentials instanceof Credentials.Verified verified) {
      auth.claim(verified.identity().node().isPresent());
    }
    Optional<Refusal> refusal = publishers.check(scope, batch);
    if (refusal.isPresent()) {
      auth.refused(refusal.get());
      if (!config.auth().audit() || !refusal.get().passesAudit()) {
        throw EventService.status(refusal.get());
      }
      LOG.warn("would be refused if AuthMode were not audit: {}", refusal.get().message());
      return;
    }
    auth.decided(scope instanceof PublisherScope.AnyNode);
  }

  private void keep(List<HealthEvent> events) throws StatusException {
    try {
      spool.append(EventMessages.batch(events).toByteArray());
    } catch (SpoolFull full) {
      meters.counter("drydock_connector_spool_refusals").increment();
      throw Status.RESOURCE_EXHAUSTED
          .withDescription(full.getMessage() + "; send the batch again later")
          .asException();
    } catch (IOException failed) {
      LOG.error("cannot write to the spool: {}", failed.getMessage());
      throw Status.UNAVAILABLE
          .withDescription("cannot write to the spool: " + failed.getMessage())
          .asException();
    }
  }
}
