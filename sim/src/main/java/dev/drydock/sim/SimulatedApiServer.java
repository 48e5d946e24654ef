package dev.drydock.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Identities;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.TypeCatalog;
import dev.drydock.sim.call.ApiCalls;
import dev.drydock.sim.call.CallHook;
import dev.drydock.sim.call.HttpFront;
import dev.drydock.sim.control.Controllers;
import dev.drydock.sim.json.Json;
import dev.drydock.sim.store.Store;
import dev.drydock.sim.types.BuiltInTypes;
import dev.drydock.sim.types.SystemPriorities;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/**
 * An API server in this process, with the few controllers that make it believable. Any Kubernetes
 * client can use it over HTTP; what it does not know, it refuses with 501.
 */
public final class SimulatedApiServer implements AutoCloseable {
  /** What a simulation is made of. The same seed gives the same names and UIDs. */
  public record Options(Clock clock, long seed, int history, CallHook hook) {
    private static final int USUAL_HISTORY = 10_000;

    public static Options usual() {
      return new Options(Clock.systemUTC(), 1, USUAL_HISTORY, CallHook.NONE);
    }

    public Options withClock(Clock other) {
      return new Options(other, seed, history, hook);
    }

    public Options withHook(CallHook other) {
      return new Options(clock, seed, history, other);
    }
  }

  private final Store store;
  private final Controllers controllers;
  private final HttpFront front;

  private SimulatedApiServer(Options options) throws IOException {
    store = new Store(options.history());
    TypeCatalog types = new TypeCatalog(store, BuiltInTypes.all());
    Identities identities = new Identities(options.seed());
    Registry registry = new Registry(store, types, options.clock(), identities);
    controllers = new Controllers(registry, options.clock());
    createNamespaces(registry);
    SystemPriorities.create(registry);
    front = new HttpFront(new ApiCalls(registry, options.clock(), options.hook()));
  }

  public static SimulatedApiServer start(Options options) throws IOException {
    return new SimulatedApiServer(options);
  }

  private static void createNamespaces(Registry registry) {
    ResourceType namespaces = registry.types().require("", "namespaces");
    for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
      ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
      Json.metadata(namespace).put("name", name);
      registry.create(namespaces, "", namespace, false);
    }
  }

  public URI uri() {
    return front.uri();
  }

  /** Tells the controllers that the clock has moved. */
  public void timePassed() {
    controllers.timePassed();
  }

  /** Forgets what happened so far: watches from before end with 410. */
  public void compact() {
    store.compact();
  }

  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: sim
          cluster:
            server: %s
        users:
        - name: admin
          user: {}
        contexts:
        - name: sim
          context:
            cluster: sim
            user: admin
        current-context: sim
        """
        .formatted(uri());
  }

  public Path writeKubeconfig(Path file) throws IOException {
    return Files.writeString(file, kubeconfig());
  }

  @Override
  public void close() {
    store.close();
    front.close();
  }
}
