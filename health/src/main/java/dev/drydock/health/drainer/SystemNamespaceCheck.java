package dev.drydock.health.drainer;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.drainer.decide.DrainRules;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says at the start which namespaces look like those of the system and are not protected from
 * drains.
 */
final class SystemNamespaceCheck implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SystemNamespaceCheck.class);
  private static final Set<String> CRITICAL =
      Set.of("system-cluster-critical", "system-node-critical");

  private final Kube kube;
  private final DrainRules rules;
  private final ControlLoop loop;
  private volatile Set<String> unprotected = Set.of();
  private volatile boolean done;

  SystemNamespaceCheck(Kube kube, NodeDrainerConfig config) {
    this.kube = kube;
    boolean everywhere = config.customDrain().isPresent();
    rules = everywhere ? config.rules().everything() : config.rules();
    loop = kube.loop("system-namespaces", this::look);
  }

  void start() {
    loop.wake();
  }

  private Instant look() {
    if (done) {
      return Instant.MAX;
    }
    Set<String> found = new TreeSet<>();
    var _ =
        kube.http()
            .list(
                Resource.NAMESPACES.all(),
                namespace -> {
                  String name = text(namespace.path("metadata"), "name");
                  if (name.endsWith("-system") || name.endsWith("-operator")) {
                    found.add(name);
                  }
                })
            .orThrow("list of namespaces");
    var _ =
        kube.http()
            .list(
                Resource.PODS.all(),
                pod -> {
                  if (isCritical(pod)) {
                    found.add(text(pod.path("metadata"), "namespace"));
                  }
                })
            .orThrow("list of pods");
    found.removeIf(name -> !rules.reaches(name));
    unprotected = Set.copyOf(found);
    done = true;
    if (!found.isEmpty()) {
      LOG.warn(
          "drains also take pods of namespaces that look like the system's: {}; add them to systemNamespaces to leave them alone",
          String.join(", ", found));
    }
    return Instant.MAX;
  }

  private static boolean isCritical(JsonNode pod) {
    return CRITICAL.contains(text(pod.path("spec"), "priorityClassName"));
  }

  /** Empty until they were looked at. */
  Set<String> unprotected() {
    return unprotected;
  }

  @Override
  public void close() {
    loop.close();
  }
}
