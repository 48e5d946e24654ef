package dev.drydock.lifecycle.driver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.WakeUp;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the transitions of a driver, once in each group as soon as that is served. They stay
 * when the driver stops: other nodes have the same.
 */
public final class TransitionPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionPublisher.class);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final KubeHttp http;
  private final LifecycleNodeCaches caches;
  private final List<DriverNaming> generations;
  private final Duration sla;
  private final Set<String> done = new HashSet<>();
  private final WakeUp bell = new WakeUp();
  private Runnable unsubscribe = () -> {};
  private volatile boolean closed;

  public TransitionPublisher(
      KubeHttp http, LifecycleNodeCaches caches, List<DriverNaming> generations, Duration sla) {
    this.http = http;
    this.caches = caches;
    this.generations = List.copyOf(generations);
    this.sla = sla;
  }

  public void start() {
    unsubscribe = caches.onChange(bell::ring);
    Thread.ofVirtual().name("transitions").start(this::run);
  }

  private void run() {
    int failures = 0;
    try {
      while (!closed) {
        done.retainAll(caches.served());
        boolean failed = false;
        for (String group : caches.served()) {
          if (!done.contains(group)) {
            boolean published = publish(group);
            failed |= !published;
            if (published) {
              done.add(group);
            }
          }
        }
        failures = failed ? failures + 1 : 0;
        bell.await(failed ? Backoff.USUAL.after(failures) : LONGEST_WAIT);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean publish(String group) {
    for (DriverNaming naming : generations) {
      for (DriverNaming.Transition transition : naming.transitions()) {
        LifecycleRef ref = new LifecycleRef(group, transition.name());
        String manifest = manifest(ref, transition, naming.driver());
        KubeAnswer answer = http.send(ApiCall.apply(LifecyclePaths.transition(ref), manifest));
        if (!answer.ok()) {
          LOG.warn(
              "LifecycleTransition {} of {} not published: {}; tried again",
              ref,
              group,
              answer.message());
          return false;
        }
        LOG.info("published LifecycleTransition {} of {}", ref, group);
      }
    }
    return true;
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
    closed = true;
    unsubscribe.run();
    bell.ring();
  }
}
