package dev.drydock.health.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.RecommendedAction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of generated templates: Go's own text/template and ours say the same. */
class GoTemplateDifferentialTest {
  private static final int TEMPLATES = Integer.getInteger("drydock.templates", 6000);
  private static final long SEED = Long.getLong("drydock.templates.seed", 20260701L);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  /** What both get. */
  private record Data(HealthEvent event, String id, Map<String, List<String>> pods) {
    TemplateRecord struct() {
      return new TemplateRecord(
          "Data",
          Map.of(
              "HealthEvent",
              HealthEventRecord.of(event),
              "EventID",
              id,
              "PodsToDrain",
              new TemplateMap(pods, List.of())));
    }

    ObjectNode json() {
      ObjectNode root = JSON.createObjectNode();
      ObjectNode of = root.putObject("HealthEvent");
      of.put("Version", event.version()).put("CheckName", event.checkName());
      of.put("IsFatal", event.isFatal()).put("IsHealthy", event.isHealthy());
      of.put("Message", event.message()).put("NodeName", event.nodeName());
      of.put("RecommendedAction", event.recommendedAction().number());
      event.errorCode().forEach(of.withArray("ErrorCode")::add);
      for (ImpactedEntity entity : event.entitiesImpacted()) {
        of.withArray("EntitiesImpacted")
            .addObject()
            .put("EntityType", entity.entityType())
            .put("EntityValue", entity.entityValue());
      }
      event.metadata().forEach(of.withObject("Metadata")::put);
      if (event.drainOverrides() != null) {
        of.putObject("DrainOverrides")
            .put("Force", event.drainOverrides().force())
            .put("Skip", event.drainOverrides().skip());
      }
      root.put("EventID", id);
      pods.forEach(
          (namespace, names) -> {
            var list = root.withObject("PodsToDrain").putArray(namespace);
            names.forEach(list::add);
          });
      return root;
    }
  }

  private static final List<Data> DATA =
      List.of(
          new Data(
              HealthEvent.builder()
                  .version(1)
                  .checkName("GpuXidError")
                  .isFatal(true)
                  .message("GPU \"0\" has\nfallen: {{ off }} <the> & bus")
                  .recommendedAction(RecommendedAction.RESTART_VM)
                  .errorCode("79", "80")
                  .entity("GPU", "0")
                  .metadata(Map.of("a", "b", "z", ""))
                  .nodeName("worker-1")
                  .drainOverrides(new BehaviourOverrides(true, false))
                  .build(),
              "66f0c0de",
              Map.of("ns2", List.of("p", "q"), "ns1", List.of("é"))),
          new Data(HealthEvent.EMPTY, "", Map.of()),
          new Data(
              HealthEvent.builder()
                  .version(15)
                  .message("79")
                  .recommendedAction(RecommendedAction.COMPONENT_RESET)
                  .errorCode("79", "")
                  .entity("GPU_UUID", "GPU-1")
                  .metadata(Map.of("missing", "no", "b", "1"))
                  .nodeName("79")
                  .build(),
              "abcdef",
              Map.of("ns1", List.of())));

  private static Optional<Path> go() {
    return Stream.concat(
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1)),
            Stream.of("/usr/local/go/bin"))
        .map(each -> Path.of(each, "go"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Once per test run. */
  private Path oracle() throws Exception {
    Optional<Path> go = go();
    boolean required = Boolean.parseBoolean(System.getenv("DRYDOCK_REQUIRE_CLUSTER"));
    assumeTrue(
        go.isPresent() || required, "templates are not compared with Go's own: there is no Go");
    for (String file : List.of("go.mod", "main.go")) {
      try (InputStream in = getClass().getResourceAsStream("oracle/" + file)) {
        Files.copy(in, folder.resolve(file));
      }
    }
    Path program = folder.resolve("oracle");
    Process build =
        new ProcessBuilder(go.orElseThrow().toString(), "build", "-o", program.toString(), ".")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(build.waitFor()).as(said).isZero();
    return program;
  }

  private List<JsonNode> ask(List<String> requests) throws IOException, InterruptedException {
    Path in = Files.write(folder.resolve("requests"), requests);
    Process running =
        new ProcessBuilder(folder.resolve("oracle").toString())
            .redirectInput(in.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<JsonNode> answers = new ArrayList<>();
    try (BufferedReader lines = running.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.add(JSON.readTree(line));
      }
    } finally {
      if (!running.waitFor(1, TimeUnit.MINUTES)) {
        running.destroyForcibly();
      }
    }
    return answers;
  }

  /** What came of it; the words of an error are ours. */
  private static String ours(String template, Data data) {
    try {
      return "= " + GoTemplate.parse("t", template).execute(data.struct()).text();
    } catch (TemplateInvalid | TemplateFailed refused) {
      return "error";
    }
  }

  @Test
  void goSaysTheSame() throws Exception {
    oracle();
    GeneratedTemplates generated = new GeneratedTemplates(SEED);
    List<String> templates = new ArrayList<>();
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < TEMPLATES; i++) {
      String template = generated.next();
      templates.add(template);
      ObjectNode request = JSON.createObjectNode().put("Template", template);
      request.set("Data", DATA.get(i % DATA.size()).json());
      requests.add(request.toString());
    }

    List<JsonNode> answers = ask(requests);

    assertThat(answers).hasSize(TEMPLATES);
    List<String> differences = new ArrayList<>();
    int rendered = 0;
    for (int i = 0; i < TEMPLATES; i++) {
      JsonNode answer = answers.get(i);
      boolean ok = answer.path("OK").asBoolean();
      rendered += ok ? 1 : 0;
      // how Go calls the type is up to the program
      String expected =
          ok ? "= " + answer.path("Output").asText().replace("main.Action", "int32") : "error";
      String found = ours(templates.get(i), DATA.get(i % DATA.size()));
      if (!found.equals(expected)) {
        differences.add(
            "%s%n   Go: %s %s%n ours: %s"
                .formatted(templates.get(i), expected, answer.path("Error").asText(), found));
      }
    }
    assertThat(differences).as("of %d, seed %d", TEMPLATES, SEED).isEmpty();
    assertThat(rendered).as("templates that are valid").isGreaterThan(TEMPLATES / 3);
  }
}
