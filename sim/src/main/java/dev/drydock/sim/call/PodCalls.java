package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Status;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.util.List;
import java.util.Set;

/** Pod subresources: eviction and binding. */
final class PodCalls {
  private static final String NODE_USER = "system:node:";
  private static final Set<String> DRY_RUNS = Set.of("All");

  private final Registry registry;
  private final Eviction eviction;
  private final Binding binding;
  private final ObjectWriter writer;

  PodCalls(Registry registry, Eviction eviction, Binding binding, ObjectWriter writer) {
    this.registry = registry;
    this.eviction = eviction;
    this.binding = binding;
    this.writer = writer;
  }

  /** Performs an eviction, or fails. */
  ObjectNode evict(ApiRequest request, Target target) {
    ObjectNode body = admitted(request, target);
    requireSameName(body, target, "Eviction");
    JsonNode options = body.path("deleteOptions");
    boolean dryRun = requireAgreement(request, options);
    registry
        .store()
        .write(
            () -> {
              registry.requireLivingNamespace(target.type(), target.key());
              requireOwnPod(request, target, "evict");
              eviction.evict(target.key(), DeleteOptions.of(options).withDryRun(dryRun));
              return true;
            });
    return Status.success(201);
  }

  ObjectNode bind(ApiRequest request, Target target) {
    ObjectNode body = admitted(request, target);
    requireSameName(body, target, "Binding");
    binding.bind(target.key(), body.path("target"), request.dryRun());
    return Status.success(201);
  }

  private ObjectNode admitted(ApiRequest request, Target target) {
    return writer.admitted(new AdmissionRequest(request, target, "CREATE"), request.object());
  }

  private static void requireSameName(ObjectNode body, Target target, String kind) {
    if (!JsonTrees.text(body, "metadata", "name").equals(target.name())) {
      throw StatusException.badRequest(
          "name in URL does not match name in %s object".formatted(kind));
    }
  }

  /** A dry run may be requested in the query, in the body or in both. */
  private static boolean requireAgreement(ApiRequest request, JsonNode options) {
    List<String> body = JsonTrees.texts(options.path("dryRun"));
    if (!DRY_RUNS.containsAll(body)) {
      throw StatusException.unexplained(
          "Non-matching dry-run options in request and content: [%s] and %s"
              .formatted(request.parameter("dryRun"), body));
    }
    return request.dryRun();
  }

  /** A user with a kubelet's credentials may only change pods of its own node. */
  void requireOwnPod(ApiRequest request, Target target, String verb) {
    if (!request.user().startsWith(NODE_USER) || !target.type().resource().equals("pods.")) {
      return;
    }
    String node = request.user().substring(NODE_USER.length());
    ObjectKey key = target.key();
    ObjectNode pod = registry.require(target.type(), key);
    if (!JsonTrees.text(pod, "spec", "nodeName").equals(node)) {
      throw StatusException.forbidden(
          target.type(),
          key.name(),
          "node %s can only %s pods with spec.nodeName set to itself".formatted(node, verb));
    }
  }
}
