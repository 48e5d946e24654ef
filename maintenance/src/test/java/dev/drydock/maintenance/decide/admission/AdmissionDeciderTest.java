package dev.drydock.maintenance.decide.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.admission.AdmissionDecider.Candidate;
import dev.drydock.maintenance.decide.admission.AdmissionDecider.Found;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class AdmissionDeciderTest {
  private static final Candidate PLAIN =
      new Candidate("ops", "node-1", "fw-17", Optional.empty(), Optional.empty(), false);
  private static final Candidate FULL =
      new Candidate("ops", "node-1", "fw-17", Optional.of("meta"), Optional.of("gpu"), false);

  @Test
  void whatNamesOnlyThingsThatExistMayBeCreated() {
    assertThat(AdmissionDecider.refusals(PLAIN, new Found(true, false, false, List.of())))
        .isEmpty();
    assertThat(AdmissionDecider.refusals(FULL, new Found(true, true, true, List.of()))).isEmpty();
  }

  @Test
  void everyFieldThatCannotStandIsNamedWithWhatToDo() {
    assertThat(
            AdmissionDecider.refusals(
                FULL, new Found(false, false, false, List.of("a/one", "b/two"))))
        .containsExactly(
            "spec.nodeObject: node \"node-1\" does not exist; see 'kubectl get nodes'",
            "spec.maintenanceID: NotifyMaintenance a/one has the ID \"fw-17\" on node \"node-1\""
                + " already; use another ID, or delete that one first",
            "spec.metadataConfigmap: ConfigMap \"meta\" does not exist in namespace \"ops\";"
                + " create it first, or leave the field out",
            "spec.maintenanceClass: MaintenanceClass \"gpu\" does not exist;"
                + " create it first, or leave the field out");
  }

  @Test
  void aCampaignIsNotHeldUpByAnIdThatAnotherNamespaceUsed() {
    Candidate ofCampaign =
        new Candidate("ops", "node-1", "fw-17", Optional.empty(), Optional.empty(), true);

    assertThat(AdmissionDecider.refusals(ofCampaign, found("tenant/squat"))).isEmpty();
    assertThat(AdmissionDecider.refusals(ofCampaign, found("tenant/squat", "ops/other")))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("NotifyMaintenance ops/other has the ID");
  }

  private static Found found(String... sameTask) {
    return new Found(true, true, true, List.of(sameTask));
  }
}
