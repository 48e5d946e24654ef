package dev.drydock.maintenance.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeHttp;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import dev.drydock.maintenance.control.MaintenanceClasses;
import dev.drydock.maintenance.decide.campaign.CampaignValidation;
import dev.drydock.maintenance.decide.campaign.SpecMistake;
import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.serve.admission.AdmissionVerdict;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Whether a campaign can be carried out: its class exists, its windows open some day, nothing in it
 * contradicts itself. On creation and whenever the spec changes.
 */
public final class CampaignRule implements AdmissionRule {
  /** Where the API server asks. */
  public static final String PATH = "/validate-drydock-dev-v1alpha1-maintenancecampaign";

  private final KubeHttp http;
  private final Clock clock;

  public CampaignRule(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  @Override
  public AdmissionVerdict judge(JsonNode request) {
    JsonNode object = request.path("object");
    boolean same = object.path("spec").equals(request.path("oldObject").path("spec"));
    if (same || !object.isObject()) {
      return AdmissionVerdict.ALLOWED; // what exists can always be approved, finished and deleted
    }
    MaintenanceCampaignSpec spec;
    try {
      spec = MaintenanceCampaignObject.read(object).spec();
    } catch (IllegalStateException malformed) {
      return AdmissionVerdict.unless(List.of(String.valueOf(malformed.getMessage())));
    }
    Map<String, MaintenanceClassSpec> classes = MaintenanceClasses.list(http);
    String name = Fields.text(object.path("metadata"), "name");
    return AdmissionVerdict.unless(
        CampaignValidation.mistakes(name, spec, classes, clock.instant()).stream()
            .map(SpecMistake::toString)
            .toList());
  }
}
