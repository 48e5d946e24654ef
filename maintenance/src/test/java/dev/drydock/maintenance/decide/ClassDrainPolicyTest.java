package dev.drydock.maintenance.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassDrainPolicyTest {
  private static MaintenanceClassSpec.Drain drain(String json) throws JsonProcessingException {
    return new ObjectMapper().readValue(json.replace('\'', '"'), MaintenanceClassSpec.Drain.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'builtin': {'policy': {'waitForJobs': true}}}",
        "{'drainRequest': {'drainer': 'builtin', 'policy': {'waitForJobs': true}}}"
      })
  void ourEngineDrainsByTheClassesPolicy(String json) throws JsonProcessingException {
    assertThat(ClassDrainPolicy.of(drain(json)))
        .hasValueSatisfying(policy -> assertThat(policy.waitForJobs()).isTrue());
  }

  /** Without a drainer, any drainer may claim the request: its policy is not known. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'drainRequest': {'policy': {'waitForJobs': true}}}",
        "{'drainRequest': {'drainer': 'slurm'}}",
        "{'lifecycleEvent': {'transitionName': 'drain'}}",
        "{'outside': {}}"
      })
  void nobodyKnowsTheRulesOfOtherDrainers(String json) throws JsonProcessingException {
    assertThat(ClassDrainPolicy.of(drain(json))).isEmpty();
  }

  @Test
  void aClassWithoutADrainHasNone() {
    assertThat(ClassDrainPolicy.of(null)).isEmpty();
  }
}
