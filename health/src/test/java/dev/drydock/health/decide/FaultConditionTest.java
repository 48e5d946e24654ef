package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.healthy;
import static dev.drydock.health.decide.TestEvents.unhealthy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.decide.FaultCondition.Lengths;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultConditionTest {
  private static final String CHECK = "GpuXidError";

  private static FaultCondition after(HealthEvent... events) {
    FaultCondition condition = FaultCondition.healthy(CHECK);
    for (HealthEvent event : events) {
      // what a restarted process knows is the message
      condition = condition.after(event);
    }
    return condition;
  }

  private static String message(FaultCondition condition) {
    return condition.message(Lengths.STANDARD);
  }

  @Test
  void aFailureIsOneEntry() {
    FaultCondition condition =
        after(unhealthy("1").errorCode("79").entity("GPU", "0").message("XID; bad").build());

    assertThat(condition.isUnhealthy()).isTrue();
    assertThat(condition.reason()).isEqualTo("GpuXidErrorIsNotHealthy");
    assertThat(message(condition))
        .isEqualTo("ErrorCode:79 GPU:0 XID. bad Recommended Action=RESTART_VM;");
  }

  @Test
  void theActionIsTheWordOfTheProtocolAlsoIfTheMonitorHasItsOwn() {
    HealthEvent custom =
        unhealthy("1")
            .recommendedAction(RecommendedAction.CUSTOM)
            .customRecommendedAction("replace-cable")
            .build();

    assertThat(message(after(custom))).endsWith("Recommended Action=CUSTOM;");
  }

  @Test
  void healthyMeansNoFailures() {
    FaultCondition condition = after(unhealthy("1").build(), healthy("2").build());

    assertThat(condition.isUnhealthy()).isFalse();
    assertThat(condition.reason()).isEqualTo("GpuXidErrorIsHealthy");
    assertThat(message(condition)).isEqualTo("No Health Failures");
  }

  @Test
  void theSameFailureIsNotRepeatedWhateverTheOrderOfItsEntities() {
    HealthEvent one = unhealthy("1").entity("GPU", "1").entity("GPU", "0").build();
    HealthEvent other = unhealthy("2").entity("GPU", "0").entity("GPU", "1").build();

    assertThat(message(after(one, other)))
        .isEqualTo("GPU:0 GPU:1 XID error occurred Recommended Action=RESTART_VM;");
  }

  @Test
  void entitiesAndCodesClearTheirOwnEntries() {
    HealthEvent first = unhealthy("1").errorCode("79").entity("GPU", "0").build();
    HealthEvent second = unhealthy("2").errorCode("48").entity("GPU", "0").build();
    HealthEvent third = unhealthy("3").errorCode("79").entity("GPU", "1").build();
    FaultCondition all = after(first, second, third);

    assertThat(all.after(healthy("4").entity("GPU", "0").build()).entries()).hasSize(1);
    assertThat(all.after(healthy("4").entity("GPU", "0").errorCode("48").build()).entries())
        .hasSize(2);
    assertThat(all.after(healthy("4").entity("GPU", "0").entity("GPU", "1").build()).entries())
        .hasSize(3); // no entry mentions both
    assertThat(all.after(healthy("4").entity("GPU", "2").build())).isEqualTo(all);
  }

  @Test
  void aMessageIsReadBack() {
    FaultCondition condition =
        after(
            unhealthy("1").errorCode("79", "80").entity("PCI", "0000:3b:00.0").build(),
            unhealthy("2").message("").build());

    FaultCondition read = FaultCondition.read(CHECK, message(condition));

    assertThat(read).isEqualTo(condition);
    assertThat(message(read)).isEqualTo(message(condition));
  }

  @Test
  void longMessagesLoseDuplicatesThenTextThenTheEnd() {
    Lengths lengths = new Lengths(200, 20);
    String text = "x".repeat(60);
    HealthEvent old =
        unhealthy("1").errorCode("79").entity("GPU", "0").message("old" + text).build();
    HealthEvent again =
        unhealthy("2").errorCode("79").entity("GPU", "0").message("new" + text).build();
    HealthEvent third = unhealthy("3").entity("GPU", "1").message("b" + text).build();

    String without = after(old, again).message(lengths);
    assertThat(without).contains("new").hasSizeLessThanOrEqualTo(200);
    String duplicates = after(old, again, third).message(lengths);
    assertThat(duplicates).doesNotContain("old").contains("new").hasSizeLessThanOrEqualTo(200);

    FaultCondition many = FaultCondition.healthy(CHECK);
    for (int i = 0; i < 3; i++) {
      many = many.after(unhealthy("e" + i).entity("GPU", "" + i).message(i + text).build());
    }
    String shortened = many.message(lengths);
    assertThat(shortened)
        .contains("GPU:0 ", "GPU:1 ", "GPU:2 ", "0" + "x".repeat(19) + "... ")
        .hasSizeLessThanOrEqualTo(200);

    for (int i = 3; i < 50; i++) {
      many = many.after(unhealthy("e" + i).entity("GPU", "" + i).message("ü" + text).build());
    }
    String cut = many.message(lengths);
    assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(200);
    assertThat(cut).endsWith("...").doesNotContain("\uFFFD");
    assertThat(many.after(healthy("h").entity("GPU", "49").build()).entries()).hasSize(49);
  }

  @Test
  void anEntryThatWasCutOffCanStillBeCleared() {
    FaultCondition read =
        FaultCondition.read(CHECK, "GPU:0 text Recommended Action=NONE;ErrorCode:79 GPU:1 te...");

    assertThat(read.after(healthy("1").entity("GPU", "1").build()).entries()).hasSize(1);
    assertThat(read.after(healthy("1").entity("GPU", "0").build()).entries()).hasSize(1);
    FaultCondition early = FaultCondition.read(CHECK, "ErrorCode:79 GP...");
    assertThat(early.after(healthy("1").entity("GPU", "7").build()).isUnhealthy()).isFalse();
  }

  @Test
  void ofAFloodTheNewestEntriesAreKeptAndTheRestIsSaidUntilAllHasRecovered() {
    FaultCondition flooded = FaultCondition.healthy("GpuXidError");
    for (int i = 0; i < 5000; i++) {
      flooded =
          flooded.after(
              unhealthy("e")
                  .entitiesImpacted(
                      IntStream.range(0, 100)
                          .mapToObj(n -> new ImpactedEntity("GPU", "x".repeat(500) + n))
                          .toList())
                  .message("x".repeat(10_000) + i)
                  .entity("GPU", "uuid-" + i)
                  .build());
    }

    assertThat(flooded.entries()).hasSize(64);
    String message = flooded.message(FaultCondition.Lengths.STANDARD);
    assertThat(message).startsWith("further failures");
    FaultCondition read = FaultCondition.read("GpuXidError", message);
    for (FaultCondition each : List.of(flooded, read)) {
      FaultCondition partly = each;
      for (int i = 0; i < 5000; i++) {
        partly = partly.after(healthy("h").entity("GPU", "uuid-" + i).build());
      }
      assertThat(partly.isUnhealthy()).as("others may have failed, too").isTrue();
      assertThat(partly.after(healthy("h").build()).isUnhealthy()).isFalse();
    }
  }
}
