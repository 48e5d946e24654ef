package dev.drydock.maintenance.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobPermissionTest {
  private static final String BIND =
      "kubectl create rolebinding drydock-operator-jobs -n ops --clusterrole=drydock-operator-jobs ";

  @Test
  void theCommandNamesTheUserThatWasRefused() {
    assertThat(JobPermission.command(refusal("system:serviceaccount:drydock-system:op"), "ops"))
        .contains(BIND + "--serviceaccount=drydock-system:op");
    assertThat(JobPermission.command(refusal("ann"), "ops")).contains(BIND + "--user=ann");
  }

  @Test
  void aQuotaIsNoMatterOfRights() {
    assertThat(
            JobPermission.command(
                "Job ops/fw: jobs.batch \"fw\" is forbidden: exceeded quota: few", "ops"))
        .isEmpty();
  }

  private static String refusal(String user) {
    return "Job ops/fw: jobs.batch is forbidden: User \"%s\" cannot create resource \"jobs\" in API group \"batch\" in the namespace \"ops\""
        .formatted(user);
  }
}
