package dev.drydock.lifecycle.plugin;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Bugs;
import dev.drydock.lifecycle.pluginregistration.PluginInfo;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatusResponse;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.SLMPluginGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gRPC services of a plugin, out of plain functions that answer. */
final class GrpcServices {
  /** Some callers know the driver's service by this name. */
  static final String SHORT_NAME = "v1alpha1.SLMPlugin";

  private static final Logger LOG = LoggerFactory.getLogger(GrpcServices.class);

  private GrpcServices() {}

  static ServerServiceDefinition registration(
      PluginInfo info, Consumer<RegistrationStatus> verdicts) {
    return ServerInterceptors.intercept(
        ServerServiceDefinition.builder(RegistrationGrpc.SERVICE_NAME)
            .addMethod(
                RegistrationGrpc.getGetInfoMethod(),
                ServerCalls.asyncUnaryCall(
                    (request, to) ->
                        answer(_ -> CompletableFuture.completedFuture(info), request, to)))
            .addMethod(
                RegistrationGrpc.getNotifyRegistrationStatusMethod(),
                ServerCalls.asyncUnaryCall(
                    (verdict, to) ->
                        answer(
                            heard -> {
                              verdicts.accept(heard);
                              return acknowledged(heard);
                            },
                            verdict,
                            to)))
            .build(),
        new Caller.Reader());
  }

  /** A refusal is acknowledged by an error, as kubelets know it from the original driver. */
  private static CompletableFuture<RegistrationStatusResponse> acknowledged(
      RegistrationStatus verdict) {
    return verdict.getPluginRegistered()
        ? CompletableFuture.completedFuture(RegistrationStatusResponse.getDefaultInstance())
        : CompletableFuture.failedFuture(
            Status.UNKNOWN
                .withDescription("registration failed: " + verdict.getError())
                .asRuntimeException());
  }

  /** The driver's service by both of its names. */
  static List<ServerServiceDefinition> driver(Driver driver) {
    return List.of(driver(SLMPluginGrpc.SERVICE_NAME, driver), driver(SHORT_NAME, driver));
  }

  private static ServerServiceDefinition driver(String service, Driver driver) {
    return ServerInterceptors.intercept(
        ServerServiceDefinition.builder(service)
            .addMethod(
                named(service, SLMPluginGrpc.getStartLifecycleTransitionMethod()),
                ServerCalls.asyncUnaryCall(
                    (request, to) -> answer(unlessSelf(driver::start), request, to)))
            .addMethod(
                named(service, SLMPluginGrpc.getEndLifecycleTransitionMethod()),
                ServerCalls.asyncUnaryCall(
                    (request, to) -> answer(unlessSelf(driver::end), request, to)))
            .build(),
        new Caller.Reader());
  }

  private static <Q, A> MethodDescriptor<Q, A> named(
      String service, MethodDescriptor<Q, A> method) {
    String name = String.valueOf(method.getBareMethodName());
    return method.toBuilder()
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .build();
  }

  /** The plugin asks itself how its calls fare, and nothing may be done for that. */
  private static <Q> Function<Q, CompletableFuture<LifecycleTransitionResponse>> unlessSelf(
      Function<Q, CompletableFuture<LifecycleTransitionResponse>> driver) {
    return request ->
        Caller.current() == Caller.SELF
            ? CompletableFuture.completedFuture(LifecycleTransitionResponse.getDefaultInstance())
            : driver.apply(request);
  }

  private static <Q, A> void answer(
      Function<Q, CompletableFuture<A>> function, Q request, StreamObserver<A> to) {
    CompletableFuture<A> answer = new CompletableFuture<>();
    if (to instanceof ServerCallStreamObserver<A> call) {
      call.setOnCancelHandler(() -> answer.cancel(true));
    }
    var _ = answer.whenComplete((response, failure) -> send(request, response, failure, to));
    CompletableFuture<A> driven =
        Bugs.call(() -> function.apply(request), CompletableFuture::failedFuture);
    var _ =
        answer.whenComplete(
            (_, _) -> {
              if (answer.isCancelled()) {
                driven.cancel(true);
              }
            });
    var _ =
        driven.whenComplete(
            (response, failure) -> {
              if (failure == null) {
                answer.complete(response);
              } else {
                answer.completeExceptionally(failure);
              }
            });
  }

  private static <Q, A> void send(
      Q request, @Nullable A response, @Nullable Throwable failure, StreamObserver<A> to) {
    switch (failure) {
      case null -> {
        to.onNext(Objects.requireNonNull(response));
        to.onCompleted();
      }
      case CancellationException _ ->
          LOG.debug("the caller of {} has given up", request.getClass().getSimpleName());
      case IllegalArgumentException mistake ->
          to.onError(
              Status.INVALID_ARGUMENT.withDescription(mistake.getMessage()).asRuntimeException());
      case StatusRuntimeException told -> to.onError(told); // the driver's own words
      default -> {
        LOG.error("cannot answer {}", request.getClass().getSimpleName(), failure);
        to.onError(
            Status.INTERNAL
                .withDescription(failure.toString())
                .withCause(failure)
                .asRuntimeException());
      }
    }
  }

  static PluginInfo info(String driverName, String endpoint) {
    return PluginInfo.newBuilder()
        .setType(LifecycleNames.PLUGIN_TYPE)
        .setName(driverName)
        .setEndpoint(endpoint)
        .addSupportedVersions(LifecycleNames.PLUGIN_VERSION)
        .build();
  }
}
