package dev.drydock.lifecycle;

import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.claim.Drivers;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.PluginRegistry;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What serves the LifecycleEvents of one node, until closed: the drain driver on its sockets, and
 * the claimer that plays the kubelet's part as long as the kubelet does not. Only the agent that
 * holds the node's Lease claims events.
 */
public final class Agent implements AutoCloseable {
  /** Where kubelets have theirs; it exists in every cluster. */
  static final String LEASE_NAMESPACE = "kube-node-lease";

  /** As kubelets do with their own. */
  private static final Duration LEASE_FREE = Duration.ofSeconds(40);

  private static final Duration LEASE_RENEWED = Duration.ofSeconds(10);

  private final Kube kube;
  private final AgentSettings settings;
  private final NodeServices services;
  private final PluginRegistry registry;
  private final List<PluginServer> sockets = new ArrayList<>();
  private final @Nullable Election election;

  private Agent(
      Kube kube, KubernetesClient client, AgentSettings settings, Claimer.Outcomes outcomes) {
    this.kube = kube;
    this.settings = settings;
    registry =
        new PluginRegistry(
            settings.place().registrationFolder(), kube.clock(), this::driversChanged);
    services = new NodeServices(kube, settings, new FoundDrivers(registry), outcomes);
    election =
        settings.claims() == AgentSettings.Claims.NEVER
            ? null
            : new Election(
                client,
                new Election.LeaseSettings(
                    LEASE_NAMESPACE,
                    lease(settings.node()),
                    settings.identity(),
                    LEASE_FREE,
                    LEASE_RENEWED),
                services::claim,
                services::stopClaiming);
  }

  /** The Lease of a node's claimer. */
  public static String lease(String node) {
    return "drydock-claimer-" + node;
  }

  /**
   * Starts to serve; returns when the driver can be found.
   *
   * @param kube the process's; it stays the caller's
   * @param client for the election
   * @throws IOException one line that tells which socket cannot be had, and why
   */
  public static Agent start(
      Kube kube, KubernetesClient client, AgentSettings settings, Claimer.Outcomes outcomes)
      throws IOException {
    Agent agent = new Agent(kube, client, settings, outcomes);
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
    for (DriverNaming naming : settings.generations()) {
      sockets.add(
          PluginServer.start(
              naming.driver(),
              settings.place(),
              services.driver(),
              (registered, _) -> services.kubeletRegistered(registered)));
    }
    if (election != null) {
      registry.start();
      kube.time().execute(election::run);
    }
  }

  private void driversChanged() {
    services.wake();
  }

  /** Pods that the drain under way waits for. */
  public int remaining() {
    return services.remaining();
  }

  /** Ends where it is; whoever starts next goes on. */
  @Override
  public void close() {
    services.stopClaiming(); // first, so that the sockets need not wait for calls of our own
    sockets.forEach(PluginServer::close);
    if (election != null) {
      election.close();
    }
    registry.close();
    services.close();
  }

  /** As the registry of plugins knows them. */
  private record FoundDrivers(PluginRegistry registry) implements Drivers {
    @Override
    public Map<String, Optional<Instant>> known() {
      Map<String, Optional<Instant>> known = new HashMap<>();
      registry.drivers().forEach((name, found) -> known.put(name, found.goneSince()));
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
