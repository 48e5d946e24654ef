package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReleaseManifestsTest {
  private static final Path DEPLOY = Path.of("..", "deploy");

  @Test
  void nameTheImageOfTheVersion() throws IOException {
    String manifests = ReleaseBuild.manifests(DEPLOY, "", "1.2.3");

    assertThat(manifests)
        .contains("kind: Deployment", "kind: DaemonSet", "kind: ValidatingWebhookConfiguration")
        .doesNotContain("drydock:latest");
    assertThat(manifests.lines().map(String::strip).filter(line -> line.startsWith("image: ")))
        .hasSize(3)
        .containsOnly("image: drydock.local/drydock:1.2.3");
  }

  /** Of the programs on CXI nodes, which the operator starts. */
  @Test
  void tellTheOperatorTheImageOfTheVersion() throws IOException {
    assertThat(ReleaseBuild.manifests(DEPLOY, "", "1.2.3"))
        .contains(
            """
              notifyMaintenanceConfig.yaml: |
                slingshot:
                  image: drydock.local/drydock:1.2.3
                slaPeriod: 5h
            """);
  }

  @Test
  void haveTheDefinitionsThatAreInstalledInAFileOfTheirOwn() throws IOException {
    String definitions = ReleaseBuild.manifests(DEPLOY, "crds/", "1");

    long installed =
        Files.readAllLines(DEPLOY.resolve("kustomization.yaml")).stream()
            .filter(line -> line.startsWith("  - crds/"))
            .count();
    assertThat(installed).isPositive();
    assertThat(definitions.split("\n---\n", -1)).hasSize((int) installed);
    assertThat(definitions.lines().filter(line -> line.startsWith("kind:")).distinct())
        .containsExactly("kind: \"CustomResourceDefinition\"");
  }
}
