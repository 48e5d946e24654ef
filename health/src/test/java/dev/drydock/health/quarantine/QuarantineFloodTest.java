package dev.drydock.health.quarantine;

import static dev.drydock.health.quarantine.QuarantineFixture.RULES;
import static dev.drydock.health.quarantine.QuarantineFixture.fault;
import static dev.drydock.health.quarantine.QuarantineFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.ConditionSlots;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.quarantine.QuarantineFixture.Operator;
import dev.drydock.testkit.LoopBug;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever a publisher sends about its node, the Node stays small and others are served. */
class QuarantineFloodTest {
  private static final String QUARANTINED = "Quarantined";
  private static final String ALREADY = "AlreadyQuarantined";
  private static final String UNQUARANTINED = "UnQuarantined";

  private final QuarantineFixture fixture = QuarantineFixture.simulated();

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> send(int number, IntFunction<HealthEvent.Builder> events) {
    return fixture
        .store
        .append(IntStream.range(0, number).mapToObj(i -> events.apply(i).build()).toList())
        .ids();
  }

  private void uncordon(String node) {
    fixture
        .cluster()
        .client()
        .nodes()
        .withName(node)
        .edit(
            found -> {
              found.getSpec().setUnschedulable(null);
              return found;
            });
  }

  private void awaitNothingPending(Operator operator) {
    fixture.cluster().eventually().until(() -> operator.quarantines().pending() == 0);
  }

  private int annotationBytes(String node) {
    return fixture.annotations(node).entrySet().stream()
        .mapToInt(
            entry -> (entry.getKey() + entry.getValue()).getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }

  @Test
  void aNodeThatCannotBeWorkedOnStopsNoOtherHoweverManyEventsItHas() {
    String bad = fixture.addNode();
    String good = fixture.addNode();
    LoopBug bug = new LoopBug().atWritesTo("/nodes/" + bad);
    try (Operator operator = fixture.operator(RULES, false, bug)) {
      List<String> ofBad = send(3500, i -> fault(bad).message("m" + i));
      String ofGood = fixture.send(fault(good));

      bug.staysIn(
          "quarantine",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> {
            assertThat(fixture.status(ofGood)).isEqualTo(QUARANTINED);
            assertThat(fixture.condition(good, "GpuXidError")).isPresent();
            assertThat(fixture.status(ofBad.getFirst())).isEmpty();
          },
          () -> {
            assertThat(fixture.status(ofBad.getFirst())).isEqualTo(QUARANTINED);
            assertThat(ofBad.stream().skip(1).map(fixture::status).distinct())
                .containsExactly(ALREADY);
            assertThat(fixture.condition(bad, "GpuXidError")).isPresent();
          });
      assertThat(fixture.status(ofGood)).as("told again, but decided once").isEqualTo(QUARANTINED);
    }
  }

  @Test
  void aFloodOfEntitiesEndsWhenTheWholeCheckHasRecovered() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      List<String> ids =
          send(2000, i -> fault(node).entity("GPU", "uuid-" + i).message("\"\u0007".repeat(200)));
      fixture.eventuallyStatus(ids.getLast(), ALREADY);
      awaitNothingPending(operator);
      assertThat(annotationBytes(node)).isLessThan(200 << 10);

      send(2000, i -> recovery(node).entity("GPU", "uuid-" + i));
      fixture.send(recovery(node).entity("GPU", "0"));
      awaitNothingPending(operator);
      assertThat(fixture.isCordoned(node)).as("one by one is not all").isTrue();

      String whole = fixture.send(recovery(node));
      fixture.eventuallyStatus(whole, UNQUARANTINED);
      assertThat(fixture.isCordoned(node)).isFalse();
    }
  }

  @Test
  void aFloodOfChecksKeepsTheNodeOutUntilAPersonLooks() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      List<String> ids = send(600, i -> fault(node).checkName("Check" + i));
      fixture.eventuallyStatus(ids.getLast(), ALREADY);
      awaitNothingPending(operator);

      assertThat(annotationBytes(node)).isLessThan(200 << 10);
      fixture
          .cluster()
          .eventually()
          .until(
              () ->
                  fixture
                      .condition(node, FaultCondition.NOT_SHOWN)
                      .map(NodeCondition::getStatus)
                      .orElse(""),
              "True"::equals);
      assertThat(fixture.node(node).getStatus().getConditions())
          .filteredOn(condition -> condition.getType().startsWith("Check"))
          .hasSize(ConditionSlots.MOST);
      assertThat(fixture.cluster().client().v1().events().inAnyNamespace().list().getItems())
          .extracting(Event::getReason)
          .contains("TooManyFailures");

      List<String> healed = send(600, i -> recovery(node).checkName("Check" + i));
      awaitNothingPending(operator);
      assertThat(healed.stream().map(fixture::status).distinct()).doesNotContain(UNQUARANTINED);
      assertThat(fixture.isCordoned(node)).isTrue();

      uncordon(node);
      fixture.eventuallyStatus(ids.getLast(), "Cancelled");
      assertThat(ids.stream().map(fixture::status).distinct()).containsExactly("Cancelled");
    }
  }

  @Test
  void failuresThatAreNotFatalMakeFewEventsAndAllConditionsFindTheirPlace() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      send(200, i -> fault(node).isFatal(false).message("warning " + i));
      send(200, i -> recovery(node).checkName("Well" + i));
      String fatal = fixture.send(fault(node).checkName("Fatal"));
      fixture.eventuallyStatus(fatal, QUARANTINED);
      awaitNothingPending(operator);

      fixture
          .cluster()
          .eventually()
          .until(
              () -> fixture.condition(node, "Fatal").map(NodeCondition::getStatus).orElse(""),
              "True"::equals);
      assertThat(fixture.condition(node, FaultCondition.NOT_SHOWN)).isEmpty();
      assertThat(fixture.cluster().client().v1().events().inNamespace("default").list().getItems())
          .filteredOn(event -> event.getReason().equals("GpuXidErrorIsNotHealthy"))
          .hasSizeBetween(20, 40);
    }
  }

  @Test
  void whatWasBlockedIsLookedAtAgainHoweverMuchItIs() {
    String node = fixture.addNode();
    String other = fixture.addNode();
    fixture.stopped = Optional.of("stopped by a test");
    try (Operator operator = fixture.operator()) {
      List<String> ids = send(6000, _ -> fault(node));
      String last = fixture.send(fault(other));
      fixture.cluster().pass(Duration.ofMinutes(1));
      awaitNothingPending(operator);
      assertThat(fixture.isCordoned(node)).isFalse();

      fixture.stopped = Optional.empty();
      operator.quarantines().wake();

      fixture.eventuallyStatus(last, QUARANTINED);
      fixture.eventuallyStatus(ids.getLast(), ALREADY);
      assertThat(fixture.status(ids.getFirst())).isEqualTo(QUARANTINED);
    }
  }

  @Test
  void aManualUncordonCancelsAllEventsOfALongQuarantine() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      List<String> ids = send(2500, _ -> fault(node));
      fixture.eventuallyStatus(ids.getLast(), ALREADY);
      awaitNothingPending(operator);

      uncordon(node);

      fixture.eventuallyStatus(ids.getFirst(), "Cancelled");
      assertThat(ids.stream().map(fixture::status).distinct()).containsExactly("Cancelled");
    }
  }
}
