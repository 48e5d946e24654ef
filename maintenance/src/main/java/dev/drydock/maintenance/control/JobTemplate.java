package dev.drydock.maintenance.control;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.maintenance.decide.JobPermission;
import dev.drydock.maintenance.decide.MaintenanceFacts.Identity;
import java.util.Map;

/** Makes the Job of a class's step for one node. */
final class JobTemplate {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Names are labels too, and the Job's pods have longer ones. */
  private static final int LONGEST_NAME = 50;

  private JobTemplate() {}

  /** The name of a Job; one attempt has one name, so that creating it twice makes one. */
  static String name(Identity maintenance, Run run) {
    String uid = maintenance.uid();
    String end =
        "-%s-%d-%s"
            .formatted(
                JobObject.word(run.purpose()),
                run.attempt(),
                uid.substring(0, Math.min(5, uid.length())));
    String name = maintenance.name().replace('.', '-');
    return name.substring(0, Math.min(name.length(), LONGEST_NAME - end.length())) + end;
  }

  /** Creates it, or finds it; a refusal says what to run if it is for lack of permission. */
  static KubeHttp.Creation create(KubeHttp http, ObjectNode job) {
    try {
      return http.createOrFind(Resource.JOBS, job);
    } catch (ApiFailure refused) {
      throw JobPermission.command(
              refused.getMessage(), job.path("metadata").path("namespace").asText())
          .map(
              command -> new ApiFailure(refused.code(), refused.getMessage() + "; run: " + command))
          .orElse(refused);
    }
  }

  static ObjectNode fill(Map<String, Object> template, NotifyMaintenanceObject seen, Run run) {
    ObjectNode given = JSON.valueToTree(template);
    ObjectNode job = JSON.createObjectNode();
    job.put("apiVersion", "batch/v1").put("kind", "Job");
    ObjectNode metadata = job.putObject("metadata");
    if (given.path("metadata").isObject()) {
      metadata.setAll((ObjectNode) given.path("metadata"));
    }
    metadata.put("name", name(seen.facts().identity(), run));
    metadata.put("namespace", seen.facts().identity().namespace());
    labels(seen, run).forEach(metadata.withObjectProperty("labels")::put);
    metadata.withObjectProperty("annotations").put(JobObject.NODE, seen.facts().node());
    metadata.putArray("ownerReferences").add(owner(seen));
    ObjectNode spec = job.putObject("spec");
    if (given.path("spec").isObject()) {
      spec.setAll((ObjectNode) given.path("spec"));
    }
    // A Job that is gone would be taken for one that was never made, and its work be done again.
    spec.remove("ttlSecondsAfterFinished");
    if (!spec.has("backoffLimit")) {
      spec.put("backoffLimit", 0);
    }
    ObjectNode pod = spec.withObjectProperty("template");
    pod.withObjectProperty("metadata")
        .withObjectProperty("labels")
        .put(JobObject.MAINTENANCE, seen.uid());
    onNode(pod.withObjectProperty("spec"), seen.facts().node());
    return job;
  }

  /** The labels by which a Job is found. */
  static Map<String, String> labels(NotifyMaintenanceObject seen, Run run) {
    return Map.of(
        JobObject.MAINTENANCE, seen.uid(),
        JobObject.PURPOSE, JobObject.word(run.purpose()),
        JobObject.ATTEMPT, String.valueOf(run.attempt()));
  }

  static ObjectNode owner(NotifyMaintenanceObject seen) {
    return JSON.createObjectNode()
        .put("apiVersion", NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION)
        .put("kind", NotifyMaintenance.KIND)
        .put("name", seen.facts().identity().name())
        .put("uid", seen.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", false);
  }

  /** Past the scheduler, which keeps pods off a cordoned node; and against its taints. */
  private static void onNode(ObjectNode pod, String node) {
    pod.put("nodeName", node);
    ArrayNode tolerations =
        pod.path("tolerations").isArray()
            ? (ArrayNode) pod.path("tolerations")
            : pod.putArray("tolerations");
    tolerations.addObject().put("operator", "Exists");
    if (!pod.has("restartPolicy")) {
      pod.put("restartPolicy", "Never");
    }
  }
}
