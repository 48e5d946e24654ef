package dev.drydock.health.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransformersTest {
  @TempDir private Path folder;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Instant now = Instant.EPOCH;
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  private static HealthEvent.Builder sick() {
    return HealthEvent.builder()
        .nodeName("n")
        .checkName("Xid")
        .entity("GPU", "0")
        .errorCode("79")
        .isFatal(true)
        .recommendedAction(RecommendedAction.RESTART_VM)
        .processingStrategy(ProcessingStrategy.EXECUTE_REMEDIATION);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void repeatsWithinTheWindowAreOnlyStoredAndAnalysed() {
    Deduplicator dedup =
        new Deduplicator(
            new Deduplicator.Settings(Duration.ofMinutes(3), Duration.ofSeconds(60), Set.of("Xid")),
            clock,
            meters);

    assertThat(dedup.apply(sick().build())).isEqualTo(sick().build());
    now = now.plusSeconds(179);
    assertThat(dedup.apply(sick().build()).processingStrategy())
        .isEqualTo(ProcessingStrategy.STORE_AND_ANALYSE);
    assertThat(dedup.apply(sick().errorCode("48").build()).processingStrategy())
        .as("another failure")
        .isEqualTo(ProcessingStrategy.EXECUTE_REMEDIATION);
    assertThat(dedup.apply(sick().checkName("Other").build()).processingStrategy())
        .as("a check that is not included")
        .isEqualTo(ProcessingStrategy.EXECUTE_REMEDIATION);
    now = now.plusSeconds(1);
    assertThat(dedup.apply(sick().build()).processingStrategy())
        .as("the window does not slide")
        .isEqualTo(ProcessingStrategy.EXECUTE_REMEDIATION);
  }

  @Test
  void aFloodOfDifferentFailuresIsForgottenFromItsBeginningAndMakesFewSeries() {
    Deduplicator deduplicator =
        new Deduplicator(
            new Deduplicator.Settings(Duration.ofMinutes(3), Duration.ofMinutes(1), Set.of()),
            clock,
            meters);
    HealthEvent first = sick().entity("GPU", "first").build();
    assertThat(deduplicator.apply(first)).isEqualTo(first);
    assertThat(deduplicator.apply(first).processingStrategy())
        .isEqualTo(ProcessingStrategy.STORE_AND_ANALYSE);

    for (int i = 0; i < Deduplicator.MOST_KEYS; i++) {
      HealthEvent each = sick().checkName("Check" + i).build();
      assertThat(deduplicator.apply(each)).isEqualTo(each);
      assertThat(deduplicator.apply(each).processingStrategy())
          .isEqualTo(ProcessingStrategy.STORE_AND_ANALYSE);
    }

    assertThat(deduplicator.apply(first)).as("acts once more").isEqualTo(first);
    assertThat(meters.getMeters()).hasSizeLessThan(250);
    assertThat(
            meters
                .counter(
                    "nvsentinel_platform_connector_dedup_store_and_analyse",
                    "check",
                    "other",
                    "err_code",
                    "other")
                .count())
        .isGreaterThan(9000);
  }

  @Test
  void aHealthyEventClearsWhatItNames() {
    Deduplicator dedup =
        new Deduplicator(
            new Deduplicator.Settings(Duration.ofMinutes(3), Duration.ofSeconds(60), Set.of()),
            clock,
            meters);
    dedup.apply(sick().build());

    dedup.apply(sick().isHealthy(true).errorCode("48").build());
    assertThat(dedup.apply(sick().build()).processingStrategy())
        .as("another code was cleared")
        .isEqualTo(ProcessingStrategy.STORE_AND_ANALYSE);
    dedup.apply(HealthEvent.builder().nodeName("n").checkName("Xid").isHealthy(true).build());
    assertThat(dedup.apply(sick().build()).processingStrategy())
        .isEqualTo(ProcessingStrategy.EXECUTE_REMEDIATION);
  }

  @Test
  void metadataComesFromTheNodeAndIsRemembered() {
    int[] asked = {0};
    MetadataAugmentor augmentor =
        new MetadataAugmentor(
            new MetadataAugmentor.Settings(
                1,
                Duration.ofHours(1),
                List.of("rack", "idempotencyKey"),
                Optional.of(new MetadataAugmentor.Label("managed", "false"))),
            clock,
            name -> {
              asked[0]++;
              return name.equals("gone")
                  ? Optional.empty()
                  : Optional.of(
                      new MetadataAugmentor.NodeFacts(
                          "aws:///i-1",
                          Map.of(
                              "rack",
                              "r1",
                              "idempotencyKey",
                              "x",
                              "managed",
                              name.equals("n") + "")));
            });

    HealthEvent augmented = augmentor.apply(sick().build());
    assertThat(augmented.metadata())
        .containsEntry("providerID", "aws:///i-1")
        .containsEntry("rack", "r1")
        .doesNotContainKey("idempotencyKey");
    assertThat(augmented.processingStrategy()).isEqualTo(ProcessingStrategy.EXECUTE_REMEDIATION);
    augmentor.apply(sick().build());
    assertThat(asked[0]).isEqualTo(1);
    now = now.plus(Duration.ofHours(1));
    augmentor.apply(sick().build());
    assertThat(asked[0]).isEqualTo(2);
    assertThat(augmentor.apply(sick().nodeName("unmanaged").build()).processingStrategy())
        .isEqualTo(ProcessingStrategy.STORE_ONLY);
    assertThatThrownBy(() -> augmentor.apply(sick().nodeName("gone").build()))
        .isInstanceOf(TransformFailure.class);
    assertThatThrownBy(() -> augmentor.apply(HealthEvent.EMPTY))
        .isInstanceOf(TransformFailure.class);
  }

  @Test
  void theFirstOverrideThatMatchesWinsAndOneThatFailsIsSkipped() throws IOException {
    Path rules =
        file(
            "overrides.toml",
            """
            enabled = true
            [[rules]]
            name = "broken at run time"
            when = "event.metadata['none'] == 'x'"
            override = { isHealthy = true }
            [[rules]]
            name = "xid 79"
            when = "event.recommendedAction == 'RESTART_VM' && '79' in event.errorCode && event.entitiesImpacted.exists(e, e.entityType == 'GPU')"
            override = { isFatal = false, recommendedAction = "CONTACT_SUPPORT" }
            [[rules]]
            name = "all"
            when = "true"
            override = { isHealthy = true }
            """);
    OverrideTransformer overrides =
        new OverrideTransformer(TransformerFiles.overrides(rules).orElseThrow(), meters);

    HealthEvent changed = overrides.apply(sick().build());

    assertThat(changed.isFatal()).isFalse();
    assertThat(changed.isHealthy()).isFalse();
    assertThat(changed.recommendedAction()).isEqualTo(RecommendedAction.CONTACT_SUPPORT);
    assertThat(overrides.apply(sick().errorCode("1").build()).isHealthy()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "enabled = true | at least one",
        "enabled = tru | line 1",
        "enabled = true\\n[[rules]]\\nwhen = \"true\"\\noverride = {isFatal=true} | has no name",
        "enabled = true\\n[[rules]]\\nname = \"a\"\\noverride = {isFatal=true} | \"a\" has no when",
        "enabled = true\\n[[rules]]\\nname = \"a\"\\nwhen = \"true\" | \"a\" has no override",
        "enabled = true\\n[[rules]]\\nname = \"a\"\\nwhen = \"true\"\\noverride = {recommendedAction=\"RUN\"} | no recommendedAction \"RUN\"",
        "enabled = true\\n[[rules]]\\nname = \"a\"\\nwhen = \"1 + 1\"\\noverride = {isFatal=true} | not true or false",
        "enabled = true\\n[[rules]]\\nname = \"a\"\\nwhen = \"evnt.agent == 1\"\\noverride = {isFatal=true} | rule \"a\"",
      })
  void brokenOverridesNameTheRule(String text, String message) throws IOException {
    Path rules = file("overrides.toml", text.replace("\\n", "\n"));

    assertThatThrownBy(
            () -> new OverrideTransformer(TransformerFiles.overrides(rules).orElseThrow(), meters))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void filesThatAreMissingHaveTheDefaults() throws IOException {
    Path none = folder.resolve("none.toml");

    assertThat(TransformerFiles.deduplicator(none).suppressionWindow())
        .isEqualTo(Duration.ofMinutes(3));
    assertThat(TransformerFiles.metadata(none).cacheSize()).isEqualTo(50);
    assertThat(TransformerFiles.overrides(none)).isEmpty();
    assertThatThrownBy(() -> TransformerFiles.metadata(file("metadata.toml", "cacheSize = 0")))
        .hasMessageContaining("cacheSize");
    assertThatThrownBy(
            () -> TransformerFiles.deduplicator(file("dedup.toml", "suppressionWindow = \"0s\"")))
        .hasMessageContaining("suppressionWindow");
  }

  @Test
  void aStageThatFailsIsLeftOut() {
    TransformPipeline pipeline =
        new TransformPipeline(
            List.of(
                new TransformPipeline.Stage(
                    "fails",
                    _ -> {
                      throw new TransformFailure("no");
                    }),
                new TransformPipeline.Stage(
                    "a bug",
                    _ -> {
                      throw new IllegalStateException("a bug");
                    }),
                new TransformPipeline.Stage(
                    "works", event -> event.toBuilder().message("done").build())));

    assertThat(pipeline.apply(HealthEvent.EMPTY, _ -> {}).message()).isEqualTo("done");
  }
}
