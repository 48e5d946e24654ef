package dev.drydock.slurm.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.VersionedObject;
import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerNode.DrainRecord;
import java.io.IOException;
import java.util.Optional;

/**
 * A Node, as far as Slurm is concerned.
 *
 * @param object its identity
 */
public record WorkerNodeObject(ApiObject object, WorkerNode facts) implements VersionedObject {
  /** On a Node: what the bridge drained in Slurm because of it, as JSON. */
  public static final String DRAIN_RECORD = "drydock.dev/slurm-drain";

  public static WorkerNodeObject read(JsonNode node) {
    ApiObject object = ApiObject.of(node);
    return new WorkerNodeObject(
        ApiObject.identified("", object.name(), object.uid(), object.version()),
        new WorkerNode(
            object.name(),
            Optional.ofNullable(object.annotations().get(SlurmNames.CORDON_REASON)),
            object.labels().containsKey(HealthNames.STATE_LABEL),
            Optional.ofNullable(object.annotations().get(DRAIN_RECORD))
                .flatMap(WorkerNodeObject::drainRecord)));
  }

  /** Empty if it cannot be read: then nothing in Slurm is known to be ours. */
  private static Optional<DrainRecord> drainRecord(String annotation) {
    try {
      JsonNode json = Json.read(annotation);
      return Optional.of(
              new DrainRecord(Fields.list(json.path("nodes")), Fields.text(json, "reason")))
          .filter(each -> !each.reason().isEmpty());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** The value of the annotation. */
  public static String text(DrainRecord drain) {
    ObjectNode json = Json.object();
    drain.workers().forEach(json.putArray("nodes")::add);
    return json.put("reason", drain.reason()).toString();
  }
}
