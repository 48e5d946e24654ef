package dev.drydock.lifecycle;

import dev.drydock.drain.stop.StopAcknowledgement;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.ObjectName;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.claim.Drivers;
import dev.drydock.lifecycle.decide.DriverPresence;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.PluginRegistry;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.lifecycle.plugin.SocketKeeper;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Serves the LifecycleEvents of one node until closed: the drain driver on its sockets, and the
 * claimer, which replaces the kubelet's until kubelets claim events. Only the agent that holds the
 * node's Lease claims events.
 */
public final class LifecycleAgent implements AutoCloseable {
  /** The namespace of the kubelets' Leases; it exists in every cluster. */
  static final String LEASE_NAMESPACE = StopWitnesses.AGENT_NAMESPACE;

  private final Kube kube;
  private final LifecycleAgentSettings settings;
  private final LifecycleAgentServices services;
  private final PluginRegistry registry;
  private final List<PluginServer> sockets = new ArrayList<>();
  private final List<SocketKeeper> keepers = new ArrayList<>();
  private final @Nullable Election election;
  private @Nullable StopAcknowledgement stopSeen;

  private LifecycleAgent(Kube kube, LifecycleAgentSettings settings, Claimer.Outcomes outcomes) {
    this.kube = kube;
    this.settings = settings;
    registry =
        new PluginRegistry(kube, settings.place().registrationFolder(), this::driversChanged);
    services = new LifecycleAgentServices(kube, settings, new FoundDrivers(registry), outcomes);
    election =
        settings.claims() == LifecycleAgentSettings.Claims.NEVER
            ? null
            : new Election(
                kube,
                Election.LeaseSettings.ofNode(
                    LEASE_NAMESPACE, lease(settings.node()), settings.identity()),
                services::claim,
                services::stopClaiming);
  }

  /** The Lease of a node's claimer. */
  public static String lease(String node) {
    return ObjectName.of(StopWitnesses.AGENT_LEASE + node);
  }

  /**
   * Starts to serve; returns when the driver can be found.
   *
   * @param kube the process's; it stays the caller's
   * @throws IOException with one line that says which socket cannot be created, and why
   */
  public static LifecycleAgent start(
      Kube kube, LifecycleAgentSettings settings, Claimer.Outcomes outcomes) throws IOException {
    LifecycleAgent agent = new LifecycleAgent(kube, settings, outcomes);
    boolean started = false;
    try {
      agent.start();
      started = true;
      return agent;
    } finally {
      if (!started) {
        agent.close();
      }
    }
  }

  private void start() throws IOException {
    services.start();
    for (DriverNaming naming : settings.driverNames()) {
      PluginServer server =
          PluginServer.start(
              naming.driver(),
              settings.place(),
              services.driver(),
              (registered, _) -> services.kubeletRegistered(registered));
      sockets.add(server);
      SocketKeeper keeper = new SocketKeeper(kube, naming.driver(), server);
      keepers.add(keeper);
      keeper.start();
    }
    if (election != null) {
      registry.start();
      services.explain(election::problem);
      election.start();
      stopSeen = new StopAcknowledgement(kube, settings.cordNamespace(), election);
    }
  }

  private void driversChanged() {
    services.wake();
  }

  /** Why events cannot be served at present, if so; besides watches that are not in sync. */
  public Optional<String> unready() {
    return sockets.stream()
        .flatMap(each -> each.missing().stream())
        .findFirst()
        .or(() -> election == null ? Optional.empty() : election.problem())
        .or(() -> election == null ? Optional.empty() : unregistered());
  }

  /** A driver of ours that our own claimer cannot call. */
  private Optional<String> unregistered() {
    Map<String, PluginRegistry.Found> found = registry.drivers();
    return settings.driverNames().stream()
        .map(DriverNaming::driver)
        .filter(
            driver -> {
              PluginRegistry.Found known = found.get(driver);
              return known == null || !known.presence().isConnected();
            })
        .findFirst()
        .map("driver %s is not registered"::formatted);
  }

  /** Pods that the drain under way waits for. */
  public int remaining() {
    return services.remaining();
  }

  /** Stops; the next process continues. */
  @Override
  public void close() {
    keepers.forEach(SocketKeeper::close);
    services.stopClaiming(); // first, so that the sockets need not wait for calls of our own
    sockets.forEach(PluginServer::close);
    if (stopSeen != null) {
      stopSeen.close();
    }
    if (election != null) {
      election.close();
    }
    registry.close();
    services.close();
  }

  /** The drivers that the registry of plugins knows. */
  private record FoundDrivers(PluginRegistry registry) implements Drivers {
    @Override
    public Map<String, DriverPresence> known() {
      Map<String, DriverPresence> known = new HashMap<>();
      registry.drivers().forEach((name, found) -> known.put(name, found.presence()));
      return known;
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> start(
        String driver, StartLifecycleTransitionRequest request) {
      return registry.start(driver, request);
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> end(
        String driver, EndLifecycleTransitionRequest request) {
      return registry.end(driver, request);
    }
  }
}
