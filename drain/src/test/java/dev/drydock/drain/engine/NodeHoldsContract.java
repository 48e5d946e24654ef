package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class NodeHoldsContract extends EngineContract {
  private NodeHolds holds;
  private String node;

  @BeforeEach
  void open() {
    holds = engine.holds();
    node = fixture.node();
  }

  private static Hold hold(String holder) {
    return Hold.of(holder, "a test", Instant.parse("2025-01-01T00:00:00Z"));
  }

  private boolean cordoned() {
    return Boolean.TRUE.equals(fixture.read(node).getSpec().getUnschedulable());
  }

  @Test
  void theLastToGoMakesTheNodeSchedulable() {
    holds.place(node, hold("a"));
    holds.place(node, hold("b"));

    assertThat(holds.release(node, "a").byHolder()).containsOnlyKeys("b");
    assertThat(cordoned()).isTrue();

    holds.release(node, "b");
    assertThat(cordoned()).isFalse();
    assertThat(fixture.read(node).getMetadata().getAnnotations())
        .doesNotContainKey(HoldsAnnotation.NAME);
  }

  @Test
  void aCordonFromBeforeStays() {
    fixture.kubectl("cordon", node);

    holds.place(node, hold("a"));
    Holds left = holds.release(node, "a");

    assertThat(left.byHolder()).containsOnlyKeys(Hold.EXTERNAL);
    assertThat(cordoned()).isTrue();
    holds.releaseEverything(node);
    assertThat(cordoned()).isFalse();
  }

  @Test
  void manyAtOnceLoseNothing() {
    List<String> holders = IntStream.range(0, 8).mapToObj(i -> "holder-" + i).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Holds>> placed =
          holders.stream()
              .map(
                  holder ->
                      CompletableFuture.supplyAsync(() -> holds.place(node, hold(holder)), threads))
              .toList();
      placed.forEach(CompletableFuture::join);
    }

    assertThat(holds.read(node).byHolder()).containsOnlyKeys(holders);
    assertThat(holds.readAll().byNode()).containsKey(node);
  }

  @Test
  void neverOverwritesAnAnnotationItCannotRead() {
    fixture.kubectl("annotate", "node", node, HoldsAnnotation.NAME + "=mine");

    assertThatThrownBy(() -> holds.place(node, hold("a")))
        .isInstanceOf(HoldsUnreadable.class)
        .hasMessageContaining(node);
    assertThatThrownBy(() -> holds.releaseEverything(node)).isInstanceOf(HoldsUnreadable.class);
    assertThat(fixture.read(node).getMetadata().getAnnotations())
        .containsEntry(HoldsAnnotation.NAME, "mine");
    assertThat(cordoned()).isFalse();
    assertThat(holds.readAll().problems()).singleElement().asString().contains(node);
  }

  @Test
  void aHoldEndsByItself() {
    holds.place(node, hold("a").until(Instant.parse("2025-01-01T00:01:00Z")));

    holds.expire(node);

    assertThat(cordoned()).isFalse();
    assertThat(fixture.events(node)).extracting(e -> e.getReason()).contains("HoldExpired");
  }
}
