package dev.drydock.slurm.worker;

import static dev.drydock.kube.Fields.name;
import static dev.drydock.kube.Fields.start;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.VersionedObject;
import dev.drydock.slurm.worker.decide.WorkerPod;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A Pod that is a worker of Slurm.
 *
 * @param object its identity
 */
public record WorkerPodObject(ApiObject object, WorkerPod facts) implements VersionedObject {
  public static WorkerPodObject read(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode spec = pod.path("spec");
    JsonNode status = pod.path("status");
    Map<String, SlurmCondition> states = new HashMap<>();
    boolean ready = false;
    for (JsonNode each : status.path("conditions")) {
      String type = name(each, "type");
      if (type.startsWith(SlurmNames.STATE_CONDITION)) {
        states.put(
            type,
            new SlurmCondition(
                text(each, "status"), start(each, "reason"), start(each, "message")));
      }
      ready |= type.equals("Ready") && text(each, "status").equals("True");
    }
    WorkerPod facts =
        new WorkerPod(
            text(metadata, "namespace"),
            text(metadata, "name"),
            text(metadata, "uid"),
            text(spec, "nodeName"),
            slurmNode(metadata, spec),
            text(status, "phase"),
            ready,
            metadata.hasNonNull("deletionTimestamp"),
            states,
            jobsEnd(text(metadata.path("annotations"), CampaignNames.SLINKY_POD_DEADLINE)));
    return new WorkerPodObject(
        ApiObject.identified(
            facts.namespace(), facts.name(), facts.uid(), text(metadata, "resourceVersion")),
        facts);
  }

  /** slurmd registers by the name of the machine that it sees. */
  private static String slurmNode(JsonNode metadata, JsonNode spec) {
    if (spec.path("hostNetwork").asBoolean(false)) {
      return text(spec, "nodeName");
    }
    String hostname = text(spec, "hostname");
    return hostname.isEmpty() ? text(metadata, "name") : hostname;
  }

  private static Optional<Instant> jobsEnd(String announced) {
    try {
      return announced.isEmpty()
          ? Optional.empty()
          : Optional.of(Fields.capped(OffsetDateTime.parse(announced).toInstant()));
    } catch (DateTimeException noTime) {
      return Optional.empty(); // whoever may annotate the pod wrote something else
    }
  }
}
