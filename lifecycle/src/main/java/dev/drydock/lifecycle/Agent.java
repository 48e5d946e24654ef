package dev.drydock.lifecycle;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.claim.Drivers;
import dev.drydock.lifecycle.driver.DrainDriver;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.driver.TransitionPublisher;
import dev.drydock.lifecycle.plugin.PluginRegistry;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What serves the LifecycleEvents of one node, until closed: the drain driver on its sockets, and
 * the claimer that plays the kubelet's part as long as the kubelet does not. Of several on a node
 * one claims at a time, the one that holds the node's Lease.
 */
public final class Agent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
  private static final int PAGE_SIZE = 500;

  /** Where kubelets have theirs; it exists in every cluster. */
  static final String LEASE_NAMESPACE = "kube-node-lease";

  /** As kubelets do with their own. */
  private static final Duration LEASE_FREE = Duration.ofSeconds(40);

  private static final Duration LEASE_RENEWED = Duration.ofSeconds(10);

  private final AgentSettings settings;
  private final Clock clock;
  private final Claimer.Outcomes outcomes;
  private final KubeHttp http;
  private final DrainEngine engine;
  private final LifecycleNodeCaches caches;
  private final DrainDriver driver;
  private final TransitionPublisher publisher;
  private final PluginRegistry registry;
  private final List<PluginServer> sockets = new ArrayList<>();
  private final @Nullable Election election;
  private @Nullable Claimer claimer;
  private volatile boolean kubeletClaims;

  private Agent(
      KubernetesClient client,
      AgentSettings settings,
      RequestInterceptor hook,
      Claimer.Outcomes outcomes,
      Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.outcomes = outcomes;
    RateLimiter pace = new RateLimiter(settings.qps(), settings.burst(), hook);
    http = new KubeHttp(client, pace, PAGE_SIZE);
    engine =
        new DrainEngine(
            new Kube(http, TimeSource.REAL),
            DrainEngine.Options.DEFAULT
                .withAnswerWithin(settings.evictionTimeout())
                .withEvictionLabels(Map.of(LifecycleNames.EVICTED_BY, "agent")));
    caches = new LifecycleNodeCaches(http, settings.node());
    driver = new DrainDriver(settings.drain(), engine, caches, http, clock);
    publisher = new TransitionPublisher(http, caches, settings.generations(), settings.sla());
    registry = new PluginRegistry(settings.place().registrationFolder(), clock, this::wake);
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
                this::claim,
                this::stepBack);
  }

  /** The Lease of a node's claimer. */
  public static String lease(String node) {
    return "drydock-claimer-" + node;
  }

  /**
   * Starts to serve; returns when the driver can be found.
   *
   * @throws IOException one line that tells which socket cannot be had, and why
   */
  public static Agent start(
      KubernetesClient client,
      AgentSettings settings,
      RequestInterceptor hook,
      Claimer.Outcomes outcomes)
      throws IOException {
    return start(client, settings, hook, outcomes, Clock.systemUTC());
  }

  static Agent start(
      KubernetesClient client,
      AgentSettings settings,
      RequestInterceptor hook,
      Claimer.Outcomes outcomes,
      Clock clock)
      throws IOException {
    Agent agent = new Agent(client, settings, hook, outcomes, clock);
    try {
      agent.start();
      return agent;
    } catch (IOException | RuntimeException failed) {
      agent.close();
      throw failed;
    }
  }

  private void start() throws IOException {
    engine.obeyCord(settings.cordNamespace(), () -> {});
    caches.start();
    publisher.start();
    driver.resume();
    for (DriverNaming naming : settings.generations()) {
      sockets.add(PluginServer.start(naming.driver(), settings.place(), driver, this::heard));
    }
    if (election != null) {
      registry.start();
      Thread.ofVirtual().name("election").start(election::run);
    }
  }

  /** A kubelet that takes the driver claims events; ours would only be in its way. */
  private void heard(boolean registered, String error) {
    if (settings.claims() != AgentSettings.Claims.AUTO || registered == kubeletClaims) {
      return;
    }
    kubeletClaims = registered;
    LOG.info(
        registered
            ? "the kubelet claims events itself; this claimer only ends what it has begun"
            : "the kubelet claims no events; this claimer does");
    wake();
  }

  private synchronized void wake() {
    if (claimer != null) {
      claimer.wake();
    }
  }

  private synchronized void claim() {
    if (claimer != null) {
      return;
    }
    LOG.info("claiming the LifecycleEvents of node {}", settings.node());
    Claimer next =
        new Claimer(
            new Claimer.ClaimerContext(http, clock, settings.node(), settings.identity()),
            caches,
            new FoundDrivers(registry),
            () -> kubeletClaims,
            outcomes);
    claimer = next;
    next.start();
  }

  private synchronized void stepBack() {
    if (claimer != null) {
      LOG.info("no longer claiming the LifecycleEvents of node {}", settings.node());
      claimer.close();
      claimer = null;
    }
  }

  /** Why events cannot be served at present, if so. */
  public Optional<String> unready() {
    return caches.unsynced();
  }

  /** Pods that the drain under way waits for. */
  public int remaining() {
    return driver.remaining();
  }

  /** Ends where it is; whoever starts next goes on. */
  @Override
  public void close() {
    stepBack(); // first, so that no call of ours is waited for
    sockets.forEach(PluginServer::close);
    if (election != null) {
      election.close();
    }
    registry.close();
    publisher.close();
    driver.close();
    caches.close();
    engine.close();
    http.close();
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
