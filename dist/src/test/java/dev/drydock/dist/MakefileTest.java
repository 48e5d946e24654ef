package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.drydock.testbed.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shortcuts, by what make would run. */
class MakefileTest {
  @BeforeEach
  void findMake() {
    assumeThat(Path.of("/usr/bin/make")).as("make").exists();
    assertThat(Files.exists(Path.of("..", "Makefile"))).isTrue();
  }

  private static CommandResult make(String... words) {
    List<String> command = new ArrayList<>(List.of("/usr/bin/make", "-C", ".."));
    command.addAll(List.of(words));
    return CommandResult.run(command, Map.of(), "");
  }

  @Test
  void drainFollowsUnlessToldOtherwise() {
    assertThat(make("-n", "drain", "NODE=worker-1").output())
        .contains("./drydock lifecycle drain \"worker-1\"")
        .doesNotContain("--no-wait");
    assertThat(make("-n", "drain", "NODE=worker-1", "WAIT=false").output())
        .contains("./drydock lifecycle drain \"worker-1\" --no-wait");
    assertThat(make("-n", "maintenance-complete", "NODE=worker-1", "WAIT=false").output())
        .contains("./drydock lifecycle uncordon \"worker-1\" --no-wait");
  }

  @Test
  void withoutANodeItSaysHowItIsUsed() {
    CommandResult drain = make("drain");

    assertThat(drain.exitCode()).isEqualTo(2);
    assertThat(drain.standardError()).contains("Usage: make drain NODE=<node-name>");
    assertThat(make("maintenance-complete").standardError())
        .contains("Usage: make maintenance-complete NODE=<node-name>");
  }

  @Test
  void cleanDeletesTheTwoTransitionsOfTheDriver() {
    assertThat(make("-n", "clean").output())
        .contains(
            "kubectl delete lifecycletransitions \"drain.slm.k8s.io\" \"drain.slm.k8s.io-uncordon\" --ignore-not-found");
    assertThat(make("-n", "clean", "DRIVER=a.b").output()).contains("\"a.b\" \"a.b-uncordon\"");
  }

  @Test
  void buildMakesTheDriverUnderItsOwnName() {
    assertThat(make("-n", "build").output())
        .contains("bin/drain-driver", "lifecycle driver \"$@\"");
  }

  @Test
  void theStepsOfTheDrainDemoAreHereToo() {
    for (String step :
        List.of(
            "setup", "show-cluster", "inject-health-event", "verify-drain", "cleanup", "demo")) {
      assertThat(make("-n", step).output())
          .contains("-C demos/local-slinky-drain-demo " + step, "./demo.sh " + step);
    }
    assertThat(make("-C", "demos/local-slinky-drain-demo", "help").output())
        .contains("verify-drain", "checks the five results");
  }

  @Test
  void dockerBuildSaysWhatIsMissing() {
    CommandResult unnamed = make("docker-build");
    CommandResult without = make("docker-build", "IMG=x:1", "DOCKER=/none/docker");
    CommandResult unanswered = make("docker-build", "IMG=x:1", "DOCKER=false");

    assertThat(unnamed.exitCode()).isEqualTo(2);
    assertThat(unnamed.standardError()).contains("Usage: make docker-build IMG=<name>:<tag>");
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(without.standardError())
        .contains("error: no docker here: make image builds the image without it");
    assertThat(unanswered.exitCode()).isEqualTo(2);
    assertThat(unanswered.standardError()).contains("error: the Docker daemon does not answer");
  }

  @Test
  void targetsOfOtherOperatorsHaveTheirEquivalents() {
    assertThat(make("-n", "test").output()).contains("mvn -B -ntp test");
    assertThat(make("-n", "test-e2e").output())
        .contains("DRYDOCK_REQUIRE_CLUSTER=true mvn -B -ntp verify -Dgroups=cluster");
    assertThat(make("-n", "lint").output()).contains("mvn -B -ntp process-test-classes");
    for (String target : List.of("manifests", "generate")) {
      assertThat(make("-n", target).output())
          .contains("-Dcrds.write=true", "-Dmanifests.write=true");
    }
    assertThat(make("-n", "docker-buildx", "IMG=x:1").output()).contains("\"docker\" push \"x:1\"");
    assertThat(make("docker-buildx").standardError())
        .contains("Usage: make docker-buildx IMG=<name>:<tag>");
    assertThat(make("docker-buildx", "IMG=x:1", "PLATFORMS=linux/arm64").standardError())
        .contains("the image is built for linux/amd64 only");
  }

  @Test
  void theChartGetsItsDefinitionsFromDeploy() {
    CommandResult result = make("helm-sync");

    assertThat(result.succeeded()).as(result.toString()).isTrue();
    assertThat(Path.of("..", "charts/slingshot-operator/crds/cxidrivers.cxi.hpe.com-v1.yaml"))
        .hasSameTextualContentAs(Path.of("..", "deploy/crds/cxidrivers.cxi.hpe.com-v1.yaml"));
  }
}
