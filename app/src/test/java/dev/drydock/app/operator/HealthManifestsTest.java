package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.app.DrydockTest;
import dev.drydock.health.drainer.NodeDrainerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs parts of health events in processes of their own. */
class HealthManifestsTest {
  private static List<JsonNode> objects(String file) throws IOException {
    try (var documents =
        new YAMLMapper()
            .readerFor(JsonNode.class)
            .<JsonNode>readValues(TestOperators.DEPLOY.resolve(file).toFile())) {
      return documents.readAll();
    }
  }

  private static JsonNode only(String file, String kind) throws IOException {
    return objects(file).stream()
        .filter(each -> each.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-drainer", "fault-remediation"})
  void aPartHasTheSameRightsInEveryDeployment(String part) throws IOException {
    assertThat(only("parts/" + part + ".yaml", "ClusterRole").path("rules"))
        .isEqualTo(only("health/" + part + ".yaml", "ClusterRole").path("rules"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ingest", "node-drainer", "fault-remediation"})
  void theArgumentsOfADeploymentAreTaken(String name, @TempDir Path folder) throws IOException {
    JsonNode pod =
        only("health/" + name + ".yaml", "Deployment").path("spec").path("template").path("spec");
    Path toml = Files.writeString(folder.resolve("config.toml"), "");
    List<String> arguments = new ArrayList<>();
    pod.path("containers")
        .path(0)
        .path("args")
        .forEach(
            each ->
                arguments.add(each.asText().replace("/etc/config/config.toml", toml.toString())));
    arguments.add("--print-config");

    DrydockTest.Outcome outcome = DrydockTest.run(arguments.toArray(String[]::new));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
  }

  @Test
  void theShippedRulesOfDrainsAreValid() throws IOException {
    String toml =
        only("health/node-drainer.yaml", "ConfigMap").path("data").path("config.toml").asText();

    assertThat(NodeDrainerFile.parse(toml, "config.toml"))
        .usingRecursiveComparison()
        .withEqualsForType((one, other) -> one.pattern().equals(other.pattern()), Pattern.class)
        .isEqualTo(NodeDrainerFile.defaults());
  }

  /** The one that NVSentinel has published, to the letter. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "demos/local-slinky-drain-demo",
        "demo/src/main/resources/dev/drydock/demo",
        "health/src/test/resources/dev/drydock/health/customdrain"
      })
  void theTemplateOfCustomDrainsIsTheSameEverywhere(String folder) throws IOException {
    String shipped =
        only("slurm/drain-template.yaml", "ConfigMap")
            .path("data")
            .path("drain-template.yaml")
            .asText();

    assertThat(Path.of("..", folder, "drain-template.yaml")).hasContent(shipped);
  }
}
