package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
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
        .containsExactly(
            "image: drydock.local/drydock:1.2.3", "image: drydock.local/drydock:1.2.3");
  }

  @Test
  void haveAllDefinitionsInAFileOfTheirOwn() throws IOException {
    String definitions = ReleaseBuild.manifests(DEPLOY, "crds/", "1");

    try (Stream<Path> files = Files.list(DEPLOY.resolve("crds"))) {
      assertThat(definitions.split("\n---\n", -1)).hasSize((int) files.count());
    }
    assertThat(definitions.lines().filter(line -> line.startsWith("kind:")).distinct())
        .containsExactly("kind: \"CustomResourceDefinition\"");
  }
}
