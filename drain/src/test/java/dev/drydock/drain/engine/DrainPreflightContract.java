package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

abstract class DrainPreflightContract extends EngineContract {
  private static final String HOLDER = "test/preflight";

  private final RecordedReports reports = new RecordedReports();

  private List<String> nodes(int count) {
    return IntStream.range(0, count).mapToObj(i -> fixture.node()).toList();
  }

  private DrainRun start(String node) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE), reports);
  }

  @Test
  void aGoodPartOfTheClusterSharesItsStreams() {
    List<String> nodes = nodes(6);
    nodes.forEach(node -> fixture.pods(node, node, 2));

    var _ = engine.preflight(nodes);
    List<DrainRun> runs = nodes.stream().map(this::start).toList();

    assertThat(runs).allSatisfy(run -> assertThat(fixture.end(run).end()).isEqualTo(End.DONE));
    assertThat(nodes).allSatisfy(node -> assertThat(fixture.podsOn(node)).isEmpty());
    assertThat(nodes)
        .allSatisfy(node -> assertThat(engine.holds().read(node).heldBy(HOLDER)).isTrue());
    Map<Verb, Long> requests = engine.kube().http().requests();
    assertThat(requests.get(Verb.WATCH)).isEqualTo(3); // nodes, pods, budgets
    assertThat(requests.get(Verb.LIST)).isEqualTo(3);
    assertThat(requests.get(Verb.CREATE)).isEqualTo(12); // evictions and nothing else
  }

  @Test
  void aFewNodesOfManyAreReadAndFollowedOneByOne() {
    List<String> nodes = nodes(21);
    List<String> few = nodes.subList(0, 5);
    few.forEach(node -> fixture.pods(node, node, 1));

    assertThat(engine.preflight(few)).containsOnlyKeys(few);
    List<DrainRun> runs = few.stream().map(this::start).toList();

    assertThat(runs).allSatisfy(run -> assertThat(fixture.end(run).end()).isEqualTo(End.DONE));
    assertThat(engine.kube().http().requests().get(Verb.WATCH)).isEqualTo(11);
  }

  @Test
  void whoSharesStreamsIsCalledOffBlockedAndEmptiedAlone() {
    List<String> nodes = nodes(5);
    String blocked = nodes.get(0);
    String uncordoned = nodes.get(1);
    fixture.pods(blocked, "guarded", 2);
    fixture.budget("strict", "guarded", 2);
    fixture.pods(uncordoned, "kept", 1);
    fixture.budget("kept", "kept", 1);
    fixture.pods(nodes.get(2), "free", 2);

    var _ = engine.preflight(nodes);
    List<DrainRun> runs = new ArrayList<>();
    nodes.forEach(node -> runs.add(start(node)));

    for (DrainRun run : runs.subList(2, 5)) {
      assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    }
    for (String node : List.of(blocked, uncordoned)) { // each is held before it is blocked
      fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET, node));
    }
    fixture.kubectl("uncordon", uncordoned);
    assertThat(fixture.end(runs.get(1)).end()).isEqualTo(End.CANCELLED);
    assertThat(runs.get(0).outcome()).isNotDone();
    // told once it has been blocked for a second
    fixture
        .eventually()
        .until(
            () ->
                fixture.events(blocked).stream()
                    .anyMatch(event -> event.getReason().equals("HoldPlaced")));
    fixture.kubectl("delete", "pdb/strict", "-n", fixture.namespace);
    assertThat(fixture.end(runs.get(0)).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(uncordoned)).hasSize(1);
  }

  @Test
  void aNodeThatChangedSinceItWasReadIsReadAgain() {
    String node = fixture.node();
    fixture.pods(node, "web", 1);
    var _ = engine.preflight(List.of(node));
    try (DrainEngine other = fixture.engine()) {
      var _ = other.holds().place(node, Hold.of("test/other", "meanwhile", fixture.now()));
    }

    assertThat(fixture.end(start(node)).end()).isEqualTo(End.DONE);

    assertThat(engine.holds().read(node).byHolder()).containsOnlyKeys(HOLDER, "test/other");
  }

  @Test
  void oneThatDoesNotExistIsNamed() {
    List<String> nodes = new ArrayList<>(nodes(5));
    nodes.add("nowhere");

    assertThatThrownBy(() -> engine.preflight(nodes))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("node nowhere: nodes \"nowhere\" not found");
  }
}
