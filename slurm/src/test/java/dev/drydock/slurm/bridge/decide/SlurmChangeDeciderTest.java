package dev.drydock.slurm.bridge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerNode.DrainRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SlurmChangeDeciderTest {
  private static final String WHY = "[T] [NVSentinel] 79 - x";

  private static WorkerNode node(@Nullable String annotation, @Nullable DrainRecord record) {
    return new WorkerNode(
        "k1", Optional.ofNullable(annotation), false, Optional.ofNullable(record));
  }

  private static DrainRecord record(String reason, String... workers) {
    return new DrainRecord(List.of(workers), reason);
  }

  private static SlurmNode open(String name) {
    return new SlurmNode(name, List.of("ALLOCATED"), "");
  }

  private static SlurmNode drained(String name, String reason) {
    return new SlurmNode(name, List.of("IDLE", "DRAIN"), reason);
  }

  private static SlurmView seen(SlurmNode... nodes) {
    return new SlurmView.Seen(
        Stream.of(nodes).collect(Collectors.toMap(SlurmNode::name, Function.identity())), Map.of());
  }

  private static SlurmChange decide(WorkerNode node, SlurmView view, String... workers) {
    return SlurmChangeDecider.decide(node, List.of(workers), view, Optional.empty());
  }

  @Test
  void aDrainIsWrittenDownBeforeItIsMade() {
    assertThat(decide(node(WHY, null), seen(open("n1")), "n1"))
        .isEqualTo(new SlurmChange.Announce(record(WHY, "n1")));
    assertThat(decide(node(WHY, record(WHY, "n1")), seen(open("n1")), "n1"))
        .isEqualTo(new SlurmChange.Drain(List.of("n1"), WHY));
    assertThat(decide(node(WHY, record(WHY, "n1")), seen(drained("n1", WHY)), "n1"))
        .isEqualTo(new SlurmChange.None());
  }

  @Test
  void whatOthersDrainedIsNeitherDrainedAgainNorResumed() {
    SlurmView theirs = seen(drained("n1", "disk"));

    assertThat(decide(node(WHY, null), theirs, "n1")).isEqualTo(new SlurmChange.None());
    assertThat(decide(node(null, null), theirs, "n1")).isEqualTo(new SlurmChange.None());
    assertThat(decide(node(null, record(WHY, "n1")), theirs, "n1"))
        .isEqualTo(new SlurmChange.Forget());
    // the same words, but of a node that was not drained here
    assertThat(decide(node(null, record("disk", "n2")), theirs, "n1"))
        .isEqualTo(new SlurmChange.Forget());
  }

  @Test
  void whatWasDrainedHereIsResumedAndThenForgotten() {
    WorkerNode released = node(null, record(WHY, "n1"));

    assertThat(decide(released, seen(drained("n1", WHY)), "n1"))
        .isEqualTo(new SlurmChange.Resume(List.of("n1")));
    assertThat(decide(released, seen(open("n1")), "n1")).isEqualTo(new SlurmChange.Forget());
  }

  @Test
  void itIsResumedAlsoIfTheWorkersPodIsGone() {
    assertThat(decide(node(null, record(WHY, "n1")), seen(drained("n1", WHY))))
        .isEqualTo(new SlurmChange.Resume(List.of("n1")));
  }

  @Test
  void aWorkerThatComesLaterIsDrainedForTheReasonOfTheFirst() {
    SlurmView view = seen(drained("n1", WHY), open("n2"));

    assertThat(decide(node("another", record(WHY, "n1")), view, "n1", "n2"))
        .isEqualTo(new SlurmChange.Announce(record(WHY, "n1", "n2")));
    assertThat(decide(node("another", record(WHY, "n1", "n2")), view, "n1", "n2"))
        .isEqualTo(new SlurmChange.Drain(List.of("n2"), WHY));
  }

  @Test
  void withoutAnAnswerOrANodeInSlurmNothingIsChanged() {
    assertThat(decide(node(WHY, null), new SlurmView.Unknown("down"), "n1"))
        .isEqualTo(new SlurmChange.None());
    assertThat(decide(node(null, record(WHY, "n1")), new SlurmView.Unknown("down"), "n1"))
        .isEqualTo(new SlurmChange.None());
    assertThat(decide(node(WHY, null), seen(), "n1")).isEqualTo(new SlurmChange.None());
  }

  @Test
  void theAndonCordHoldsUpDrainsAndNoRelease() {
    Optional<String> stopped = Optional.of("stopped");

    assertThat(SlurmChangeDecider.decide(node(WHY, null), List.of("n1"), seen(open("n1")), stopped))
        .isEqualTo(new SlurmChange.Wait("stopped"));
    assertThat(
            SlurmChangeDecider.decide(
                node(null, record(WHY, "n1")), List.of("n1"), seen(drained("n1", WHY)), stopped))
        .isEqualTo(new SlurmChange.Resume(List.of("n1")));
  }

  @Test
  void aReasonIsOneLineOfBoundedLength() {
    assertThat(SlurmChangeDecider.reason(" a\n\tb\u0000c ")).isEqualTo("a b c");
    assertThat(SlurmChangeDecider.reason("\n")).isEqualTo("drained for Kubernetes");
    assertThat(SlurmChangeDecider.reason("x".repeat(5000))).hasSize(512);
  }
}
