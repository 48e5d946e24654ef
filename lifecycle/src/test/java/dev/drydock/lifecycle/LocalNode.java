package dev.drydock.lifecycle;

import dev.drydock.lifecycle.claim.Drivers;
import dev.drydock.lifecycle.decide.DriverPresence;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a node gives its agents: its folder of sockets, its Lease and its kubelet. */
final class LocalNode implements Drivers {
  private final Clock clock;
  private final Map<String, Registered> drivers = new HashMap<>();

  /** The first one claims. */
  private final List<LifecycleAgentServices> claimers = new ArrayList<>();

  private record Registered(
      Driver driver,
      Optional<Instant> goneSince,
      List<CompletableFuture<LifecycleTransitionResponse>> calls) {}

  LocalNode(Clock clock) {
    this.clock = clock;
  }

  void register(String name, Driver driver) {
    drivers.put(name, new Registered(driver, Optional.empty(), new ArrayList<>()));
    claimers.forEach(LifecycleAgentServices::wake);
  }

  /** Calls under way break off, as those on a socket do. */
  void unregister(String name, Driver driver) {
    Registered known = drivers.get(name);
    if (known != null && known.driver().equals(driver)) {
      drivers.put(name, new Registered(driver, Optional.of(clock.instant()), new ArrayList<>()));
      known.calls().forEach(call -> call.completeExceptionally(gone(name)));
      claimers.forEach(LifecycleAgentServices::wake);
    }
  }

  void join(LifecycleAgentServices claimer) {
    claimers.add(claimer);
    claimers.getFirst().claim();
  }

  void leave(LifecycleAgentServices claimer) {
    claimers.remove(claimer);
    if (!claimers.isEmpty()) {
      claimers.getFirst().claim();
    }
  }

  void kubeletSays(boolean registered) {
    claimers.forEach(claimer -> claimer.kubeletRegistered(registered));
  }

  @Override
  public Map<String, DriverPresence> known() {
    Map<String, DriverPresence> known = new HashMap<>();
    drivers.forEach(
        (name, driver) ->
            known.put(
                name,
                driver
                    .goneSince()
                    .map(DriverPresence::deregistered)
                    .orElse(DriverPresence.CONNECTED)));
    return known;
  }

  @Override
  public CompletableFuture<LifecycleTransitionResponse> start(
      String driver, StartLifecycleTransitionRequest request) {
    return call(driver, each -> each.start(request));
  }

  @Override
  public CompletableFuture<LifecycleTransitionResponse> end(
      String driver, EndLifecycleTransitionRequest request) {
    return call(driver, each -> each.end(request));
  }

  private CompletableFuture<LifecycleTransitionResponse> call(
      String name, Function<Driver, CompletableFuture<LifecycleTransitionResponse>> call) {
    Registered registered = drivers.get(name);
    if (registered == null || registered.goneSince().isPresent()) {
      return CompletableFuture.failedFuture(gone(name));
    }
    try {
      CompletableFuture<LifecycleTransitionResponse> answer = call.apply(registered.driver());
      registered.calls().add(answer);
      return answer;
    } catch (IllegalArgumentException mistake) {
      return CompletableFuture.failedFuture(
          Status.INVALID_ARGUMENT.withDescription(mistake.getMessage()).asRuntimeException());
    }
  }

  private static RuntimeException gone(String name) {
    return Status.UNAVAILABLE
        .withDescription("driver %s has gone from this node".formatted(name))
        .asRuntimeException();
  }
}
