package dev.drydock.health.store.served;

import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.EventService;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.store.served.decide.StoreClients;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/** Lets in who may use the store, by the token of each call. */
public final class StoreAccess implements ServerInterceptor {
  private final StoreClients clients;
  private final CallHeaders.TokenCheck tokens;
  private final MeterRegistry meters;

  private StoreAccess(StoreClients clients, CallHeaders.TokenCheck tokens, MeterRegistry meters) {
    this.clients = clients;
    this.tokens = tokens;
    this.meters = meters;
  }

  /** The service for those callers only. */
  public static ServerServiceDefinition guard(
      StoreService service,
      StoreClients clients,
      CallHeaders.TokenCheck tokens,
      MeterRegistry meters) {
    return ServerInterceptors.intercept(
        service.bindService(),
        new StoreAccess(clients, tokens, meters),
        new CallHeaders.Reader()); // the last one is the first to see a call
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<Refusal> refusal = clients.refusal(CallHeaders.current().credentials(tokens));
    if (refusal.isEmpty()) {
      return next.startCall(call, headers);
    }
    meters.counter("drydock_event_store_refusals", "reason", refusal.get().reason()).increment();
    var answer = EventService.status(refusal.get());
    call.close(
        answer.getStatus(), answer.getTrailers() == null ? new Metadata() : answer.getTrailers());
    return new ServerCall.Listener<>() {};
  }
}
