package dev.drydock.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.time.Timers;
import dev.drydock.sim.SimulatedApiServer.Options;
import dev.drydock.sim.api.Identities;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.TypeCatalog;
import dev.drydock.sim.call.ApiCalls;
import dev.drydock.sim.control.Controllers;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.Store;
import dev.drydock.sim.types.BuiltInTypes;
import dev.drydock.sim.types.SystemPriorities;
import java.util.List;

/** The parts of a simulated API server, with the controllers that belong to the API itself. */
final class ApiServerParts {
  private final Store store;
  private final Registry registry;
  private final Controllers controllers;
  private final ApiCalls calls;

  ApiServerParts(Options options, Timers timers) {
    store = new Store(options.history());
    TypeCatalog types = new TypeCatalog(store, BuiltInTypes.all());
    Identities identities = new Identities(options.seed());
    registry = new Registry(store, types, options.clock(), identities);
    controllers = new Controllers(registry, options.clock(), timers);
    calls = new ApiCalls(registry, options.clock(), options.hook(), controllers.index()::podsOn);
    List.of("default", "kube-system", "kube-public", "kube-node-lease")
        .forEach(this::createNamespace);
    SystemPriorities.create(registry);
  }

  void createNamespace(String name) {
    ResourceType namespaces = registry.types().require("", "namespaces");
    ObjectNode namespace = JsonTrees.object().put("apiVersion", "v1").put("kind", "Namespace");
    JsonTrees.metadata(namespace).put("name", name);
    registry.create(namespaces, "", namespace, false);
  }

  Store store() {
    return store;
  }

  Registry registry() {
    return registry;
  }

  Controllers controllers() {
    return controllers;
  }

  ApiCalls calls() {
    return calls;
  }
}
