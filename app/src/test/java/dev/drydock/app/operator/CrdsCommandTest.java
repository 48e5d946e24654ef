package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import org.junit.jupiter.api.Test;

class CrdsCommandTest {
  @Test
  void whatOnlyOthersServeIsPrintedOnRequest() {
    String ours = DrydockTest.run("crds").out();
    String others = DrydockTest.run("crds", "--served-by-others").out();

    assertThat(ours)
        .contains("\"drainrequests.nvsentinel.nvidia.com\"")
        .contains("\"maintenancerequests.nvsentinel.dgxc.nvidia.com\"")
        .doesNotContain("\"rebootnodes.janitor.dgxc.nvidia.com\"");
    assertThat(others)
        .contains("\"rebootnodes.janitor.dgxc.nvidia.com\"")
        .contains("\"terminatenodes.janitor.dgxc.nvidia.com\"")
        .contains("\"gpuresets.janitor.dgxc.nvidia.com\"")
        .contains("\"externalremediationrequests.nvsentinel.dgxc.nvidia.com\"")
        .contains("\"validationrequests.nvsentinel.nvidia.com\"")
        .doesNotContain("\"drainrequests.nvsentinel.nvidia.com\"");
  }
}
