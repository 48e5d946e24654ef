package dev.drydock.health.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.cli.Terminal;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Json;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineCommandsTest {
  @TempDir private Path folder;

  private Path events() throws IOException {
    return Files.write(
        folder.resolve("events.jsonl"),
        List.of(
            EventJson.json(TestEvents.unhealthy("").generatedTimestamp(TestEvents.NOW).build())
                .toString(),
            EventJson.json(
                    TestEvents.healthy("")
                        .generatedTimestamp(TestEvents.NOW.plusSeconds(120))
                        .build())
                .toString()));
  }

  @Test
  void replaySaysWhatRulesWouldHaveDone() throws IOException {
    CommandOutcome outcome = CommandOutcome.run("health", "replay", "--from", events().toString());

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .containsPattern("nodes cordoned +1")
        .containsPattern("node-minutes out of service +2.0")
        .containsPattern("by rule GPU fatal error ruleset +1");
  }

  @Test
  void replayNamesWhatIsWrong() throws IOException {
    Path rules =
        Files.writeString(folder.resolve("rules.toml"), "[circuitBreaker]\npercentage = x");
    CommandOutcome syntax =
        CommandOutcome.run(
            "health", "replay", "--from", events().toString(), "--rules", rules.toString());
    assertThat(syntax.exitCode()).isNotZero();
    assertThat(syntax.err()).contains("rules.toml, line 2: not valid TOML");

    Path broken = Files.writeString(folder.resolve("broken.jsonl"), "{}\n{\"agent\": x}\n");
    CommandOutcome line = CommandOutcome.run("health", "replay", "--from", broken.toString());
    assertThat(line.exitCode()).isNotZero();
    assertThat(line.err()).contains("broken.jsonl, line 2: not an event");

    CommandOutcome missing = CommandOutcome.run("health", "replay", "--from", "/nowhere");
    assertThat(missing.err()).contains("/nowhere: no events there");
  }

  @Test
  void eventsShowsThemInEveryFormat() throws IOException {
    String file = events().toString();

    assertThat(CommandOutcome.run("events", "--from", file).out())
        .contains("NODE", "node-1", "GpuXidError", "fatal", "healthy", "RESTART_VM");
    assertThat(CommandOutcome.run("events", "--from", file, "--node", "other").err())
        .contains("No events found.");
    assertThat(CommandOutcome.run("events", "--from", file, "-o", "json").out())
        .contains("\"nodeName\" : \"node-1\"");
    assertThat(CommandOutcome.run("events", "--from", file, "--since", "1h").err())
        .contains("No events found.");
  }

  @Test
  void onATerminalOf80ColumnsEveryEventHasItsMessage() {
    String message = "GPU 0 has fallen off the bus; the driver cannot reach it any more";
    StoredEvent event =
        new StoredEvent(
            "1",
            TestEvents.NOW,
            TestEvents.unhealthy("")
                .nodeName("gpu-node-17.rack-4.hall-2.example.com")
                .message(message)
                .build(),
            EventJson.status(Json.object()),
            "");
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);

    EventsCommand.print(new Terminal(writer, writer, true, true, 80, 24), List.of(event), false);

    writer.flush();
    assertThat(out.toString().lines())
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .anyMatch(line -> line.endsWith("QUARANTINE"))
        .anyMatch(line -> line.equals("    " + message));
  }

  @Test
  void injectSaysWhereItFoundNobody() {
    CommandOutcome outcome =
        CommandOutcome.run("inject", "node-1", "--url", "http://127.0.0.1:1/health-event");

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.err())
        .contains("no connector answers at http://127.0.0.1:1/health-event", "--event-http-address")
        .doesNotContain("null");
    assertThat(CommandOutcome.run("inject", "node-1", "-f", "/no/such/file").err())
        .isEqualTo("error: /no/such/file: no such file\n");
    assertThat(CommandOutcome.run("inject").err()).contains("name the node");
  }

  @Test
  void breakersAreShownAndReset() {
    try (CommandFixture fixture = CommandFixture.simulated(folder)) {
      String there = fixture.namespace();
      assertThat(fixture.drydock("breaker", "reset", "--operator-namespace", there).err())
          .contains("no ConfigMap circuit-breaker in namespace " + there);
      var maps = fixture.client().configMaps().inNamespace(there);
      var _ =
          maps.resource(
                  new ConfigMapBuilder()
                      .withNewMetadata()
                      .withName("circuit-breaker")
                      .endMetadata()
                      .addToData("status", "TRIPPED")
                      .addToData("cursor", "RESUME")
                      .addToData("trippedAt", "2026-01-01T00:00:00Z")
                      .addToData("scopes", "{\"domain:rack=r1\":\"2026-01-01T00:00:00Z\"}")
                      .build())
              .create();

      assertThat(fixture.drydock("breaker", "status", "--operator-namespace", there).out())
          .containsPattern("fleet +TRIPPED")
          .containsPattern("domain:rack=r1 +TRIPPED");
      assertThat(
              fixture
                  .drydock("breaker", "reset", "domain:rack=r1", "--operator-namespace", there)
                  .out())
          .contains("reset");
      assertThat(maps.withName("circuit-breaker").require().getData())
          .containsEntry("status", "TRIPPED")
          .doesNotContainKey("scopes");
      assertThat(
              fixture
                  .drydock("breaker", "reset", "--skip-blocked", "--operator-namespace", there)
                  .exitCode())
          .isZero();
      assertThat(maps.withName("circuit-breaker").require().getData())
          .containsEntry("status", "CLOSED")
          .containsEntry("cursor", "CREATE");
      assertThat(fixture.drydock("breaker", "reset", "x", "--operator-namespace", there).err())
          .contains("no breaker is called \"x\"");
    }
  }
}
