package dev.drydock.lifecycle.driver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.lifecycle.decide.PublishedTransition;
import dev.drydock.lifecycle.decide.TransitionFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the transitions of a driver in each group as soon as that is served, and puts them back
 * when somebody points them elsewhere. They stay when the driver stops: other nodes have the same.
 */
public final class TransitionPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionPublisher.class);

  private final KubeHttp http;
  private final LifecycleNodeCaches caches;
  private final Map<LifecycleRef, PublishedTransition> wanted = new HashMap<>();
  private final ControlLoops<LifecycleRef> loops;
  private Runnable unsubscribe = () -> {};

  public TransitionPublisher(
      Kube kube, LifecycleNodeCaches caches, List<DriverNaming> driverNames, Duration sla) {
    this.http = kube.http();
    this.caches = caches;
    for (String group : LifecycleNames.GROUPS) {
      for (DriverNaming naming : driverNames) {
        for (DriverNaming.Transition transition : naming.transitions()) {
          wanted.put(
              new LifecycleRef(group, transition.name()),
              new PublishedTransition(transition.start(), transition.end(), naming.driver(), sla));
        }
      }
    }
    loops = kube.loops("transition-publisher", Publisher::new);
  }

  public void start() {
    unsubscribe = caches.onChange(this::wake);
    wake();
  }

  private void wake() {
    wanted.keySet().forEach(loops::wake);
  }

  /** Publishes one transition; again, if its API group goes and comes back. */
  private final class Publisher implements ControlLoops.Reconciler {
    private final LifecycleRef ref;
    private final PublishedTransition transition;
    private boolean published;

    Publisher(LifecycleRef ref) {
      this.ref = ref;
      this.transition = Objects.requireNonNull(wanted.get(ref));
    }

    @Override
    public Optional<Instant> step() {
      if (!caches.served().contains(ref.group())) {
        published = false;
        return Optional.of(Instant.MAX);
      }
      Optional<TransitionFacts> seen = Optional.ofNullable(caches.transitions().get(ref));
      switch (transition.need(seen, published)) {
        case NOTHING -> {}
        case WRITE -> {
          publish();
          LOG.info("published LifecycleTransition {} of {}", ref, ref.group());
        }
        case WRITE_TIME -> publishTime(seen.flatMap(TransitionFacts::sla));
      }
      published = true;
      return Optional.of(Instant.MAX);
    }

    /** Agents may not be allowed to change it for all nodes; then the cluster's time counts. */
    private void publishTime(Optional<Duration> theirs) {
      try {
        publish();
        LOG.info(
            "LifecycleTransition {} of {} has the time {} now",
            ref,
            ref.group(),
            GoDuration.text(transition.sla()));
      } catch (ApiFailure refused) {
        if (refused.isRetriable()) {
          throw refused;
        }
        LOG.warn(
            "LifecycleTransition {} of {} keeps the time {} instead of {}: {}; to change it, delete the transition and restart the agents",
            ref,
            ref.group(),
            theirs.map(GoDuration::text).orElse("without limit"),
            GoDuration.text(transition.sla()),
            refused.getMessage());
      }
    }

    private void publish() {
      Resource kind = LifecyclePaths.transitionKind(ref.group());
      ObjectNode manifest = kind.manifest("", ref.name());
      manifest
          .putObject("spec")
          .put("start", transition.start())
          .put("end", transition.end())
          .put("allNodes", true)
          .put("sla", GoDuration.text(transition.sla()))
          .put("driver", transition.driver());
      var _ = http.apply(kind, manifest);
    }
  }

  @Override
  public void close() {
    unsubscribe.run();
    loops.close();
  }
}
