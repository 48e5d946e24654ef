package dev.drydock.slurm.drainer;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import dev.drydock.drain.request.DrainRequestObject;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.kube.VersionedObject;
import dev.drydock.slurm.drainer.decide.SlinkyRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A DrainRequest as it was read.
 *
 * @param conditions all of them, also if its status is too large to be kept
 * @param node that it is about: the one that was annotated for it, until that one is released
 */
record SlinkyRequestObject(
    ApiObject object, Conditions conditions, SlinkyRequest facts, String node)
    implements VersionedObject {
  /** On a request with this drainer's finalizer: the node that is annotated for it. */
  static final String CLAIMED_NODE = "drydock.dev/slinky-node";

  static final Resource RESOURCE =
      Resource.namespaced(
          DrainRequest.GROUP, DrainRequest.VERSION, "drainrequests", DrainRequest.KIND);

  /**
   * Reads one, however large: one that could not be read would never be released. Of a spec that is
   * too large, only node and drainer count.
   *
   * @throws IllegalStateException if another definition let something pass that cannot be read
   */
  static SlinkyRequestObject read(JsonNode request) {
    ApiObject object =
        ApiObject.bounded(request, List.of(DrainRequest.DRAINER_ANNOTATION, CLAIMED_NODE));
    DrainRequestSpec spec =
        object.problem().isPresent()
            ? DrainRequestObject.identity(request.path("spec"))
            : Typed.read(object.spec(), DrainRequestSpec.class);
    JsonNode status = request.path("status");
    Conditions conditions = Conditions.of(status);
    List<DrainedPod> pods = new ArrayList<>();
    status.path("pods").forEach(pod -> pods.add(Typed.read(pod, DrainedPod.class)));
    boolean claimed = object.hasFinalizer(DrainRequest.SLINKY_FINALIZER);
    String node =
        claimed
            ? object.annotations().getOrDefault(CLAIMED_NODE, spec.nodeName())
            : spec.nodeName();
    return new SlinkyRequestObject(
        object,
        conditions,
        new SlinkyRequest(
            spec,
            object.annotations().getOrDefault(DrainRequest.DRAINER_ANNOTATION, ""),
            object.deleted(),
            claimed,
            !node.equals(spec.nodeName()),
            conditions
                .get(DrainRequest.COMPLETE_CONDITION)
                .filter(condition -> isAbout(condition, object.generation()))
                .map(
                    condition ->
                        new SlinkyRequest.Answer(
                            text(condition, "status").equals(Conditions.TRUE),
                            text(condition, "reason"),
                            time(condition, "lastTransitionTime"))),
            pods),
        node);
  }

  /**
   * An answer is about the spec that it was given to: a request that was changed to another node
   * has not drained that one. Whoever answered without naming a generation meant any.
   */
  private static boolean isAbout(JsonNode condition, long generation) {
    long observed = condition.path("observedGeneration").asLong(0);
    return observed == 0 || observed == generation;
  }

  RequestKey key() {
    return new RequestKey(node(), object.namespace(), object.name());
  }

  /** A request and the node that it is about. */
  record RequestKey(String node, String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  @Override
  public String toString() {
    return object.toString();
  }
}
