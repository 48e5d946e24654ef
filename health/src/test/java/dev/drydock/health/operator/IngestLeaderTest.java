package dev.drydock.health.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.health.connector.EventIntake;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingProblems;
import dev.drydock.serve.feature.Settings;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IngestLeaderTest {
  @TempDir private Path folder;
  private final TestCluster cluster = TestCluster.simulated();
  private final List<String> started = new ArrayList<>();

  @AfterEach
  void close() {
    cluster.close();
  }

  private Settings settings(Map<Setting<?>, Object> others) {
    Map<Setting<?>, Object> values = new HashMap<>();
    for (Setting<?> setting : HealthSettings.ALL) {
      values.put(setting, value(setting));
    }
    values.put(HealthSettings.STORE_KIND, HealthSettings.StoreKind.EMBEDDED);
    values.put(HealthSettings.INGEST_INSECURE, true);
    values.put(QuarantineSettings.METRICS_PER_NODE, true);
    values.put(QuarantineSettings.BREAKER_ENABLED, true);
    values.putAll(others);
    return new Settings(values);
  }

  private <T> T value(Setting<T> setting) {
    String text = setting.path().endsWith("ddress") ? "127.0.0.1:0" : setting.defaultText();
    if (setting.equals(HealthSettings.STORE_FOLDER)) {
      text = folder.resolve("store").toString();
    }
    return setting
        .kind()
        .reader()
        .apply(
            setting.kind().isList() ? Json.array() : new TextNode(text),
            new SettingProblems(
                (_, what) -> {
                  throw new AssertionError(setting + ": " + what);
                }));
  }

  private AutoCloseable start(String worker) {
    started.add(worker);
    return () -> {};
  }

  private OperatorContext context(Kube kube, Settings settings) {
    return new OperatorContext(
        kube,
        cluster.client(),
        "default",
        "me",
        settings,
        new SimpleMeterRegistry(),
        List.of(),
        () -> true);
  }

  private static IngestLeader leader(OperatorContext context, List<StoreWorkers.Worker> workers) {
    SharedEventStore store = SharedEventStore.of(context, Map.of(), new LeaderTerm());
    return new IngestLeader(
        context,
        store.use(),
        EventIntake.PLAIN,
        new StoreWorkers(context.kube(), "ingest", store.use(), workers));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [circuitBreaker]\\npercentage = x | rules.toml, line 2
          [[rule-sets]]\\nenabled = true\\nname = "gpu"\\n[[rule-sets.match.all]]\\nkind = "HealthEvent"\\nexpression = "event.isFatal &&" | gpu
          """)
  void anOperatorDoesNotStartWithRulesThatCannotBeUsed(String rules, String named)
      throws IOException {
    Path file = Files.writeString(folder.resolve("rules.toml"), rules.translateEscapes());
    Settings settings = settings(Map.of(QuarantineSettings.RULES, Optional.of(file)));

    assertThatThrownBy(
            () ->
                new FaultQuarantineOperator(context(cluster.process().kube(), settings), Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("rules.toml")
        .hasMessageContaining(named);
  }

  @Test
  void anOperatorDoesNotStartWithTransformersThatCannotBeUsed() throws IOException {
    Path file = Files.writeString(folder.resolve("config.json"), "{\"pipeline\": []}");
    Settings settings = settings(Map.of(HealthSettings.INGEST_CONFIG, Optional.of(file)));

    assertThatThrownBy(
            () -> new IngestOperator(context(cluster.process().kube(), settings), Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("config.json: pipeline");
  }

  @Test
  void theOperatorThatHasTheStoreDoesNotUseThatOfAnother() {
    Settings settings =
        settings(Map.of(HealthSettings.STORE_KIND, HealthSettings.StoreKind.SERVED));
    try (IngestLeader leader = leader(context(cluster.process().kube(), settings), List.of())) {
      leader.start();

      cluster
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(leader.unready())
                      .hasValueSatisfying(
                          why -> assertThat(why).contains("eventStore.kind is served")));
    }
  }

  @Test
  void aWorkerThatCannotStartHoldsUpNeitherTheOthersNorTheIngest() {
    Kube kube = cluster.process().kube();
    LoopBug bug = new LoopBug();
    StoreWorkers.Worker bad =
        new StoreWorkers.Worker(
            "bad",
            _ -> {
              bug.strike();
              return start("bad");
            });
    StoreWorkers.Worker good = new StoreWorkers.Worker("good", _ -> start("good"));
    OperatorContext context = context(kube, settings(Map.of()));
    try (IngestLeader leader = leader(context, List.of(bad, good))) {
      leader.start();

      bug.staysIn(
          "store-workers",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(started).containsExactly("good");
            assertThat(leader.port()).isPresent();
          },
          () -> assertThat(started).containsExactly("good", "bad"));
    }
  }

  @Test
  void aBugInTheIngestHoldsUpNoOtherPart() {
    Kube kube = cluster.process().kube();
    LoopBug bug = new LoopBug();
    OperatorContext context = context(kube, settings(Map.of()));
    SharedEventStore store =
        new SharedEventStore(
            () -> {
              bug.strike();
              return EventStores.open(context.settings(), Map.of(), kube.time());
            });
    OperatorContext elsewhere =
        context(
            kube,
            settings(Map.of(HealthSettings.STORE_FOLDER, Optional.of(folder.resolve("other")))));
    try (StoreWorkers others =
            new StoreWorkers(
                kube,
                "others",
                SharedEventStore.of(elsewhere, Map.of(), new LeaderTerm()).use(),
                List.of(new StoreWorkers.Worker("good", _ -> start("good"))));
        IngestLeader leader =
            new IngestLeader(
                context,
                store.use(),
                EventIntake.PLAIN,
                new StoreWorkers(kube, "ingest", store.use(), List.of()))) {
      others.start();
      leader.start();

      bug.staysIn(
          "event-store",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(started).containsExactly("good");
            assertThat(leader.port()).isEmpty();
          },
          () -> assertThat(leader.port()).isPresent());
    }
  }
}
