package dev.drydock.health.slurm.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.slurm.decide.SlurmDrainEvents.ExternalDrain;
import dev.drydock.health.slurm.decide.SlurmDrainEvents.FaultKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SlurmDrainEventsTest {
  private static final DrainPattern CHECK =
      new DrainPattern(
          "hc",
          Pattern.compile("^\\[HC\\]"),
          "SlurmHealthCheck",
          "NODE",
          false,
          "",
          RecommendedAction.CONTACT_SUPPORT);
  private static final DrainPattern GPU =
      new DrainPattern(
          "gpu",
          Pattern.compile("(?i)gpu"),
          "SlurmGpu",
          "GPU",
          true,
          "a GPU is broken",
          RecommendedAction.RESTART_BM);
  private static final DrainPatterns PATTERNS =
      new DrainPatterns(List.of(CHECK, GPU), "; ", ProcessingStrategy.STORE_ONLY);
  private static final FaultKey KEY = new FaultKey("SlurmHealthCheck", "NODE", "slurm/w1");

  private static List<HealthEvent> changes(
      Map<FaultKey, Set<String>> published, ExternalDrain... drains) {
    return SlurmDrainEvents.changes("n1", List.of(drains), published, PATTERNS);
  }

  private static ExternalDrain drain(String reason) {
    return new ExternalDrain("slurm/w1", reason);
  }

  @Test
  void everyPatternThatMatchesASegmentGivesAnEvent() {
    List<HealthEvent> events = changes(Map.of(), drain("[HC] gpu 3 is slow; lunch; no GPU memory"));

    assertThat(events)
        .map(HealthEvent::checkName)
        .containsExactly("SlurmHealthCheck", "SlurmGpu", "SlurmGpu");
    assertThat(events)
        .map(HealthEvent::message)
        .containsExactly("[HC] gpu 3 is slow", "a GPU is broken", "a GPU is broken");
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.agent()).isEqualTo("slurm-drain-monitor");
              assertThat(event.nodeName()).isEqualTo("n1");
              assertThat(event.version()).isOne();
              assertThat(event.processingStrategy()).isEqualTo(ProcessingStrategy.STORE_ONLY);
              assertThat(event.entitiesImpacted())
                  .containsExactly(new ImpactedEntity("v1/Pod", "slurm/w1"));
            });
    assertThat(events.get(0).isFatal()).isFalse();
    assertThat(events.get(1).isFatal()).isTrue();
    assertThat(events.get(1).recommendedAction()).isEqualTo(RecommendedAction.RESTART_BM);
  }

  @Test
  void aReasonThatNothingMatchesIsNoFault() {
    assertThat(changes(Map.of(), drain("lunch"))).isEmpty();
  }

  @Test
  void withoutADelimiterReasonsAreNotSplit() {
    DrainPatterns whole = new DrainPatterns(List.of(CHECK), "", ProcessingStrategy.STORE_ONLY);

    assertThat(SlurmDrainEvents.changes("n1", List.of(drain("[HC] a; [HC] b")), Map.of(), whole))
        .map(HealthEvent::message)
        .containsExactly("[HC] a; [HC] b");
  }

  @Test
  void whatIsPublishedIsNotPublishedAgain() {
    assertThat(changes(Map.of(KEY, Set.of("[HC] disk")), drain("[HC] disk"))).isEmpty();
  }

  @Test
  void whatHasEndedIsClearedOncePerCheck() {
    List<HealthEvent> events = changes(Map.of(KEY, Set.of("[HC] a", "[HC] b")));

    assertThat(events).hasSize(1);
    assertThat(events.getFirst().isHealthy()).isTrue();
    assertThat(events.getFirst().isFatal()).isFalse();
    assertThat(events.getFirst().message()).isEqualTo("Slurm external drain cleared");
    assertThat(events.getFirst().checkName()).isEqualTo("SlurmHealthCheck");
    assertThat(events.getFirst().entitiesImpacted())
        .containsExactly(new ImpactedEntity("v1/Pod", "slurm/w1"));
  }

  @Test
  void whatHasChangedIsClearedAndPublished() {
    assertThat(changes(Map.of(KEY, Set.of("[HC] disk")), drain("[HC] memory")))
        .map(event -> event.isHealthy() + " " + event.message())
        .containsExactly("true Slurm external drain cleared", "false [HC] memory");
  }

  @Test
  void whatIsOpenFollowsFromTheStoredEvents() {
    HealthEvent disk = changes(Map.of(), drain("[HC] disk")).getFirst();
    HealthEvent memory = changes(Map.of(), drain("[HC] memory")).getFirst();
    HealthEvent cleared = changes(Map.of(KEY, Set.of("x"))).getFirst();
    HealthEvent other = disk.toBuilder().agent("somebody").build();

    assertThat(SlurmDrainEvents.published(List.of(memory, cleared, disk)))
        .isEqualTo(Map.of(KEY, Set.of("[HC] memory")));
    assertThat(SlurmDrainEvents.published(List.of(cleared, memory, disk))).isEmpty();
    assertThat(SlurmDrainEvents.published(List.of(memory, disk)))
        .isEqualTo(Map.of(KEY, Set.of("[HC] memory", "[HC] disk")));
    assertThat(SlurmDrainEvents.published(List.of(other))).isEmpty();
    Map<FaultKey, Set<String>> before = Map.of(KEY, Set.of("[HC] disk"));
    assertThat(SlurmDrainEvents.published(before, List.of(cleared, memory)))
        .isEqualTo(Map.of(KEY, Set.of("[HC] memory")));
    assertThat(SlurmDrainEvents.published(before, List.of(cleared))).isEmpty();
    assertThat(SlurmDrainEvents.published(before, List.of())).isEqualTo(before);
  }
}
