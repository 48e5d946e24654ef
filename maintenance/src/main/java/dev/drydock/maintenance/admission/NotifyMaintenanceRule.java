package dev.drydock.maintenance.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.control.MaintenanceClassObject;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.admission.AdmissionDecider;
import dev.drydock.maintenance.decide.admission.AdmissionDecider.Candidate;
import dev.drydock.maintenance.decide.admission.AdmissionDecider.Found;
import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.serve.admission.AdmissionVerdict;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the objects that a new NotifyMaintenance names exist. Rules about the object itself
 * are in the CRD and in an admission policy, which work without the operator.
 */
public final class NotifyMaintenanceRule implements AdmissionRule {
  /** The path of the webhook. */
  public static final String PATH = "/validate-ngn2-nvidia-com-v1alpha1-notifymaintenance";

  private final KubeHttp http;

  public NotifyMaintenanceRule(KubeHttp http) {
    this.http = http;
  }

  @Override
  public AdmissionVerdict judge(JsonNode request) {
    if (!Fields.text(request, "operation").equals("CREATE")) {
      return AdmissionVerdict.ALLOWED;
    }
    JsonNode spec = request.path("object").path("spec");
    Candidate candidate =
        new Candidate(
            Fields.text(request, "namespace"),
            Fields.text(spec, "nodeObject"),
            Fields.text(spec, "maintenanceID"),
            given(spec, "metadataConfigmap"),
            given(spec, "maintenanceClass"),
            Fields.list(request.path("object").path("metadata").path("finalizers"))
                .contains(CampaignNames.FINALIZER));
    List<String> missing = AdmissionDecider.missing(candidate);
    return AdmissionVerdict.unless(
        missing.isEmpty() ? AdmissionDecider.refusals(candidate, lookUp(candidate)) : missing);
  }

  private static Optional<String> given(JsonNode spec, String field) {
    return Optional.of(Fields.text(spec, field)).filter(text -> !text.isEmpty());
  }

  private Found lookUp(Candidate candidate) {
    String namespace = candidate.namespace();
    return new Found(
        exists(Resource.NODES, "", candidate.node()),
        candidate.metadataConfigmap().filter(name -> mapExists(namespace, name)).isPresent(),
        // A cluster that does not know the kind has no such object either.
        candidate
            .maintenanceClass()
            .filter(name -> exists(MaintenanceClassObject.RESOURCE, "", name))
            .isPresent(),
        sameTask(candidate));
  }

  /** ConfigMaps may be read only where maintenances are expected. */
  private boolean mapExists(String namespace, String name) {
    try {
      return exists(Resource.CONFIG_MAPS, namespace, name);
    } catch (ApiFailure failure) {
      throw failure.code() == HttpURLConnection.HTTP_FORBIDDEN
          ? new ApiFailure(
              failure.code(),
              "spec.metadataConfigmap: the operator may not read ConfigMaps in this namespace; bind"
                  + " the ClusterRole drydock-operator-jobs there by a RoleBinding, or leave the"
                  + " field out: "
                  + failure.getMessage())
          : failure;
    }
  }

  /** Asks for the name as well: a path such as {@code nodes/..} is answered, but not by a node. */
  private boolean exists(Resource resource, String namespace, String name) {
    return http.find(resource, namespace, name)
        .filter(found -> Fields.text(found.path("metadata"), "name").equals(name))
        .isPresent();
  }

  private List<String> sameTask(Candidate candidate) {
    String selector =
        "spec.nodeObject=%s,spec.maintenanceID=%s"
            .formatted(candidate.node(), candidate.maintenanceID());
    List<String> names = new ArrayList<>();
    KubeAnswer answer =
        http.list(
            NotifyMaintenanceObject.RESOURCE.all().fieldSelector(selector),
            object -> names.add(name(object.path("metadata"))));
    if (answer.code() == HttpURLConnection.HTTP_BAD_REQUEST) {
      return sameTaskAmongAll(candidate);
    }
    var _ = answer.orThrow("list of NotifyMaintenances");
    return names;
  }

  /** For a CRD without selectable fields, such as that of another controller. */
  private List<String> sameTaskAmongAll(Candidate candidate) {
    List<String> names = new ArrayList<>();
    var _ =
        http.list(
                NotifyMaintenanceObject.RESOURCE.all(),
                object -> {
                  JsonNode spec = object.path("spec");
                  if (Fields.text(spec, "nodeObject").equals(candidate.node())
                      && Fields.text(spec, "maintenanceID").equals(candidate.maintenanceID())) {
                    names.add(name(object.path("metadata")));
                  }
                })
            .orThrow("list of NotifyMaintenances");
    return names;
  }

  private static String name(JsonNode metadata) {
    return Fields.text(metadata, "namespace") + "/" + Fields.text(metadata, "name");
  }
}
