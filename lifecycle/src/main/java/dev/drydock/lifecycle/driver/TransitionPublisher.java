package dev.drydock.lifecycle.driver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the transitions of a driver, once in each group as soon as that is served. They stay
 * when the driver stops: other nodes have the same.
 */
public final class TransitionPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionPublisher.class);

  private final KubeHttp http;
  private final LifecycleNodeCaches caches;
  private final List<DriverNaming> generations;
  private final Duration sla;
  private final ControlLoops<String> groups;
  private Runnable unsubscribe = () -> {};

  public TransitionPublisher(
      Kube kube, LifecycleNodeCaches caches, List<DriverNaming> generations, Duration sla) {
    this.http = kube.http();
    this.caches = caches;
    this.generations = List.copyOf(generations);
    this.sla = sla;
    groups = kube.loops("transition-publisher", GroupPublisher::new);
  }

  public void start() {
    unsubscribe = caches.onChange(this::wake);
    wake();
  }

  private void wake() {
    LifecycleNames.GROUPS.forEach(groups::wake);
  }

  /** In one API group; a group that goes and comes back gets its transitions again. */
  private final class GroupPublisher implements ControlLoops.Reconciler {
    private final String group;
    private boolean published;

    GroupPublisher(String group) {
      this.group = group;
    }

    @Override
    public Optional<Instant> step() {
      boolean served = caches.served().contains(group);
      if (served && !published) {
        publish(group);
      }
      published = served;
      return Optional.of(Instant.MAX);
    }
  }

  private void publish(String group) {
    for (DriverNaming naming : generations) {
      for (DriverNaming.Transition transition : naming.transitions()) {
        LifecycleRef ref = new LifecycleRef(group, transition.name());
        String manifest = manifest(ref, transition, naming.driver());
        var _ =
            http.send(ApiCall.apply(LifecyclePaths.transition(ref), manifest))
                .orThrow("LifecycleTransition %s of %s".formatted(ref, group));
        LOG.info("published LifecycleTransition {} of {}", ref, group);
      }
    }
  }

  private String manifest(LifecycleRef ref, DriverNaming.Transition transition, String driver) {
    ObjectNode manifest = Json.object();
    manifest.put("apiVersion", ref.group() + "/" + LifecycleNames.VERSION);
    manifest.put("kind", "LifecycleTransition");
    manifest.putObject("metadata").put("name", ref.name());
    manifest
        .putObject("spec")
        .put("start", transition.start())
        .put("end", transition.end())
        .put("allNodes", true)
        .put("sla", GoDuration.words(sla))
        .put("driver", driver);
    return manifest.toString();
  }

  @Override
  public void close() {
    unsubscribe.run();
    groups.close();
  }
}
