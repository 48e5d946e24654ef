package dev.drydock.app.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.command.DrainRequestHistory;
import dev.drydock.drain.command.HeldNodeHistory;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.kube.Json;
import dev.drydock.lifecycle.LifecycleFeature;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.maintenance.command.MaintenanceHistoryReader;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.RecordedEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeHistoryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static final NotifyMaintenanceObject DRAINED =
      maintenance(
          "fw",
          "'ngn2.nvidia.com/finalNotice'",
          """
          'maintenanceStatus':'ObjectsDrained','waitingFor':'the maintenance Job',
          'transitionTimestamps':[
            {'maintenanceStatus':'MaintenanceScheduled','transitionTimestamp':'2026-01-01T11:00:01Z'},
            {'maintenanceStatus':'MaintenanceStarted','transitionTimestamp':'2026-01-01T11:10:00Z'},
            {'maintenanceStatus':'ObjectsDrained','transitionTimestamp':'2026-01-01T11:30:00Z'}],
          'history':[
            {'at':'2026-01-01T11:10:00Z','what':'MaintenanceStarted','message':'cordoned'},
            {'at':'2026-01-01T11:30:00Z','what':'ObjectsDrained','message':'empty'}]""");

  private static JsonNode json(String text) {
    try {
      return Json.read(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without it, a maintenance that lost its finalizer is not over. */
  private static final String COMPLETED = "'conditions':[{'type':'completed','status':'True'}]";

  private static NotifyMaintenanceObject maintenance(String id, String finalizer, String status) {
    return NotifyMaintenanceObject.read(
        json(
            """
            {'metadata':{'name':'%1$s-n','namespace':'ops','uid':'uid-%1$s','finalizers':[%2$s],
            'creationTimestamp':'2026-01-01T11:00:00Z'},
            'spec':{'nodeObject':'n','maintenanceID':'%1$s','maintenanceType':'planned',
            'maintenanceClass':'gpu','owner':'ops'},'status':{%3$s}}"""
                .formatted(id, finalizer, status)));
  }

  private static RecordedEvent event(
      String time, String kind, String name, String reason, String note) {
    return new RecordedEvent(
        Instant.parse("2026-01-01T" + time + "Z"),
        new RecordedEvent.Subject(kind, "ops", name, "uid-" + name),
        reason,
        note,
        1);
  }

  private static RecordedEvent maintenanceEvent(
      String time, String name, String reason, String note) {
    return event(time, "NotifyMaintenance", name, reason, note);
  }

  private static RecordedEvent labelled(String name) {
    return maintenanceEvent("10:00:00", name, "MaintenanceStarted", "node n is labelled");
  }

  private record Cluster(
      List<NotifyMaintenanceObject> maintenances,
      List<JsonNode> drains,
      List<RecordedEvent> events,
      List<TransitionHistory.Entry> transitions) {

    List<HistoryStep> whole() {
      return history(Optional.empty()).whole();
    }

    List<HistoryStep> of(String id) {
      return history(Optional.of(id)).ofTasks();
    }

    private NodeHistory history(Optional<String> id) {
      List<HistoryPart> parts =
          new ArrayList<>(new MaintenanceHistoryReader("n", id, NOW).of(maintenances, events));
      drains.forEach(drain -> DrainRequestHistory.of("n", drain).ifPresent(parts::add));
      parts.add(LifecycleFeature.historyPart(transitions));
      return new NodeHistory(
          new CausalOrder(Features.load().historyPhases()),
          parts,
          events.stream()
              .filter(event -> event.object().kind().equals("Node"))
              .filter(event -> event.object().name().equals("n"))
              .toList());
    }
  }

  private static Cluster history(
      List<NotifyMaintenanceObject> maintenances, List<JsonNode> drains, RecordedEvent... events) {
    return new Cluster(maintenances, drains, List.of(events), List.of());
  }

  @Test
  void everyStepIsTimedAndEveryWaitExplained() {
    List<HistoryStep> steps = history(List.of(DRAINED), List.of()).whole();

    assertThat(HistoryText.lines(steps, 0))
        .containsExactly(
            "TIME                   AFTER   WHO   WHAT                   MESSAGE",
            "2026-01-01T11:00:00Z   -       fw    Created                NotifyMaintenance ops/fw-n, planned, class gpu, for ops",
            "2026-01-01T11:00:01Z   1s      fw    MaintenanceScheduled   waited 1s to be taken up by an operator",
            "2026-01-01T11:10:00Z   9m59s   fw    MaintenanceStarted     cordoned (waited 9m59s to be taken out of service)",
            "2026-01-01T11:30:00Z   20m     fw    ObjectsDrained         empty (waited 20m for the node to be emptied)",
            "2026-01-01T12:00:00Z   30m     fw    Waiting                the maintenance Job (waited 30m for the work to be done)");
  }

  @Test
  void whatItWaitsForIsLastAlsoIfSomethingWasReadLater() {
    List<HistoryStep> steps =
        history(List.of(DRAINED), List.of(), event("12:00:02", "Node", "n", "Rebooted", "it did"))
            .whole();

    assertThat(steps)
        .extracting(HistoryStep::what, HistoryStep::at)
        .endsWith(tuple("Rebooted", NOW.plusSeconds(2)), tuple("Waiting", NOW.plusSeconds(2)));
  }

  private static List<HistoryStep> steps(DrainNodeObject node, List<RecordedEvent> events) {
    return new NodeHistory(
            new CausalOrder(Features.load().historyPhases()),
            List.of(HeldNodeHistory.of(node)),
            events)
        .whole();
  }

  @Test
  void aNodeRemembersItsHoldsAndItsDrain() {
    DrainNodeObject node =
        DrainNodeObject.read(
            json(
                """
                {'metadata':{'name':'n','annotations':{'drydock.dev/holds':
                "{\\"user/a\\":{\\"reason\\":\\"disk\\",\\"since\\":\\"2026-01-01T11:00:00.700Z\\"}}"}},
                'spec':{'unschedulable':true},'status':{'conditions':[
                {'type':'Drained','status':'True','reason':'DrydockDrained',
                'message':'all gone; held by user/a: disk','lastHeartbeatTime':'2026-01-01T11:00:00Z'}]}}"""));

    List<HistoryStep> steps = steps(node, List.of());

    assertThat(steps)
        .extracting(HistoryStep::what, HistoryStep::story)
        .containsExactly(
            tuple("HoldPlaced", "held by user/a (disk)"),
            tuple("DrydockDrained", "all gone; held by user/a: disk"));
  }

  @ParameterizedTest
  @CsvSource({
    "true, held by user/a: as drainrequest/ops/x said; held by drainrequest/ops/x, 1",
    "true, held by drainrequest/ops/x: disk, 0",
    "false, held by user/a: disk, 0"
  })
  void aDrainOfANodeInServiceOrOfARequestIsNotTold(boolean unschedulable, String whose, int steps) {
    DrainNodeObject node =
        DrainNodeObject.read(
            json(
                """
                {'metadata':{'name':'n'},'spec':{'unschedulable':%s},'status':{'conditions':[
                {'type':'Drained','status':'False','reason':'DrydockDrainFailed',
                'message':'the drain failed; %s','lastHeartbeatTime':'2026-01-01T11:00:00Z'}]}}"""
                    .formatted(unschedulable, whose)));

    assertThat(HeldNodeHistory.of(node).steps()).hasSize(steps);
  }

  @Test
  void aHoldWhoseEventIsKeptIsToldOnce() {
    DrainNodeObject node =
        DrainNodeObject.read(
            json(
                """
                {'metadata':{'name':'n','annotations':{'drydock.dev/holds':
                "{\\"user/a\\":{\\"reason\\":\\"disk\\",\\"since\\":\\"2026-01-01T11:00:00.700Z\\"}}"}},
                'spec':{'unschedulable':true}}"""));

    List<HistoryStep> steps =
        steps(node, List.of(event("11:00:01", "Node", "n", "HoldPlaced", "held by user/a (disk)")));

    assertThat(steps).extracting(HistoryStep::what).containsExactly("HoldPlaced");
  }

  @Test
  void anEventThatRepeatsTheObjectIsLeftOut() {
    List<HistoryStep> steps =
        history(
                List.of(DRAINED),
                List.of(),
                new RecordedEvent(
                    Instant.parse("2026-01-01T11:30:01Z"),
                    new RecordedEvent.Subject("NotifyMaintenance", "ops", "fw-n", "uid-fw"),
                    "ObjectsDrained",
                    "node n is empty",
                    1),
                new RecordedEvent(
                    Instant.parse("2026-01-01T11:40:00Z"),
                    new RecordedEvent.Subject("NotifyMaintenance", "ops", "fw-n", "uid-fw"),
                    "LabelRemoved",
                    "the label was removed",
                    1))
            .whole();

    assertThat(steps)
        .extracting(HistoryStep::what)
        .containsExactly(
            "Created",
            "MaintenanceScheduled",
            "MaintenanceStarted",
            "ObjectsDrained",
            "LabelRemoved",
            "Waiting");
  }

  @Test
  void aMaintenanceThatIsGoneIsToldByItsEvents() {
    Cluster history =
        history(
            List.of(),
            List.of(),
            labelled("os-n"),
            maintenanceEvent("10:20:00", "os-n", "MaintenanceComplete", "node n is back"),
            maintenanceEvent("10:00:00", "os-n-2", "MaintenanceComplete", "node n-2 is back"),
            maintenanceEvent("10:00:00", "os-n.b", "MaintenanceComplete", "node n.b is back"));

    assertThat(history.whole())
        .extracting(HistoryStep::who, HistoryStep::what, HistoryStep::after)
        .containsExactly(
            tuple("os-n", "MaintenanceStarted", null),
            tuple("os-n", "MaintenanceComplete", Duration.ofMinutes(20)));
    assertThat(history.of("os")).hasSize(2);
    assertThat(history.of("fw")).isEmpty();
  }

  @Test
  void aMaintenanceThatIsGoneKeepsItsId() {
    Cluster history =
        history(
            List.of(),
            List.of(),
            labelled("some-name"),
            maintenanceEvent(
                "10:20:00",
                "some-name",
                "MaintenanceComplete",
                "node n is back after maintenance fw-17"));

    assertThat(history.whole()).extracting(HistoryStep::who).containsOnly("fw-17");
    assertThat(history.of("fw-17")).hasSize(2);
    assertThat(history.of("some-name")).hasSize(2);
  }

  @Test
  void theIdIsReadFromAnAnnotationOfItsEvents() {
    RecordedEvent old = labelled("some-name");
    RecordedEvent annotated =
        new RecordedEvent(
            old.at().plusSeconds(60),
            old.object(),
            "MaintenanceCancelled",
            "node n is back after maintenance of-somebody-else",
            1,
            Map.of("drydock.dev/maintenance-id", "fw-17"));

    assertThat(history(List.of(), List.of(), old, annotated).of("fw-17")).hasSize(2);
  }

  @Test
  void drainsAndEventsOfTheNodeBelongToIt() {
    JsonNode request =
        json(
            """
            {'metadata':{'name':'fw-n','namespace':'ops','creationTimestamp':'2026-01-01T11:10:01Z'},
            'spec':{'nodeName':'n','reason':'maintenance fw'},'status':{'conditions':[{
            'type':'DrainComplete','status':'True','reason':'DrainComplete','message':'3 pods gone',
            'lastTransitionTime':'2026-01-01T11:29:59Z'}]}}""");

    List<HistoryStep> steps =
        history(
                List.of(DRAINED),
                List.of(request, json("{'spec':{'nodeName':'other'}}")),
                event("11:09:59", "Node", "n", "HoldPlaced", "held by notifymaintenance/ops/fw-n"),
                event("09:00:00", "Node", "n", "NodeReady", "long ago"),
                event("11:09:59", "Node", "other", "HoldPlaced", "held"))
            .of("fw");

    assertThat(steps)
        .extracting(HistoryStep::who, HistoryStep::what)
        .contains(
            tuple("node", "HoldPlaced"),
            tuple("drain", "DrainRequested"),
            tuple("drain", "DrainComplete"))
        .doesNotContain(tuple("node", "NodeReady"));
  }

  @Test
  void withinASecondWhatFollowsComesAfterWhatItFollows() {
    NotifyMaintenanceObject quick =
        maintenance(
            "fw",
            "",
            """
            'maintenanceStatus':'ObjectsDrained','conditions':[{'type':'completed','status':'True'}],'history':[
              {'at':'2026-01-01T11:00:00Z','what':'MaintenanceScheduled','message':'seen'},
              {'at':'2026-01-01T11:00:00Z','what':'MaintenanceStarted','message':'cordoned'},
              {'at':'2026-01-01T11:00:00Z','what':'DrainPlanned','message':'2 pods'},
              {'at':'2026-01-01T11:00:00Z','what':'Waits','message':'pods'},
              {'at':'2026-01-01T11:00:00Z','what':'ObjectsDrained','message':'empty'}]""");
    JsonNode request =
        json(
            """
            {'metadata':{'name':'fw-n','namespace':'ops','creationTimestamp':'2026-01-01T11:00:00Z'},
            'spec':{'nodeName':'n'},'status':{'conditions':[{
            'type':'DrainComplete','status':'True','reason':'DrainComplete','message':'gone',
            'lastTransitionTime':'2026-01-01T11:00:00Z'}]}}""");

    List<HistoryStep> steps =
        history(
                List.of(quick),
                List.of(request),
                event("11:00:00.700", "Node", "n", "HoldReleased", "free"),
                event("11:00:00.300", "Node", "n", "HoldPlaced", "held"))
            .whole();

    assertThat(steps)
        .extracting(HistoryStep::what)
        .containsExactly(
            "Created",
            "MaintenanceScheduled",
            "HoldPlaced",
            "MaintenanceStarted",
            "DrainRequested",
            "DrainPlanned",
            "Waits",
            "DrainComplete",
            "ObjectsDrained",
            "HoldReleased");
    assertThat(steps)
        .extracting(HistoryStep::after)
        .filteredOn(time -> time != null && time.isNegative())
        .isEmpty();
  }

  @Test
  void whatAJobDidIsToldOnceHoweverLateTheEvent() {
    NotifyMaintenanceObject working =
        maintenance(
            "fw",
            "",
            """
            'maintenanceStatus':'Validating','history':[
              {'at':'2026-01-01T11:00:00Z','what':'JobStarted','message':'maintenance Job ops/a'},
              {'at':'2026-01-01T11:10:00Z','what':'JobSucceeded','message':'maintenance Job ops/a'},
              {'at':'2026-01-01T11:10:01Z','what':'JobStarted','message':'validation Job ops/b'}]""");
    RecordedEvent.Subject about =
        new RecordedEvent.Subject("NotifyMaintenance", "ops", "fw-n", "uid-fw");

    List<HistoryStep> steps =
        history(
                List.of(working),
                List.of(),
                new RecordedEvent(
                    Instant.parse("2026-01-01T11:09:59Z"),
                    about,
                    "JobStarted",
                    "maintenance Job ops/a",
                    1),
                new RecordedEvent(
                    Instant.parse("2026-01-01T11:12:00Z"),
                    about,
                    "JobStarted",
                    "validation Job ops/c",
                    1))
            .whole();

    assertThat(steps)
        .extracting(HistoryStep::story)
        .filteredOn(story -> story.contains(" Job "))
        .containsExactly(
            "maintenance Job ops/a",
            "maintenance Job ops/a",
            "validation Job ops/b",
            "validation Job ops/c");
  }

  @Test
  void aMaintenanceThatIsOverWaitsForNothing() {
    NotifyMaintenanceObject over =
        maintenance("fw", "", "'maintenanceStatus':'Validating'," + COMPLETED);

    assertThat(history(List.of(over), List.of()).whole())
        .extracting(HistoryStep::what)
        .containsExactly("Created");
  }

  @Test
  void eventsOfAnyFormHaveATime() {
    assertThat(
            RecordedEvent.read(
                json(
                    "{'metadata':{},'eventTime':null,'firstTimestamp':'2026-01-01T00:00:00Z','count':3,'message':'a','involvedObject':{}}")))
        .satisfies(
            event -> assertThat(event.at()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z")),
            event -> assertThat(event.message()).isEqualTo("a (3 times)"));
    assertThat(RecordedEvent.read(json("{'eventTime':'2026-01-01T00:00:00.123456Z'}")).at())
        .isEqualTo(Instant.parse("2026-01-01T00:00:00.123456Z"));
  }

  @Test
  void theNodeRemembersItsTransitionsLongerThanEventsLast() {
    Instant longAgo = NOW.minusSeconds(100_000);
    TransitionHistory.Entry forgotten =
        new TransitionHistory.Entry(
            "drain-n", "1", "t", "Succeeded", longAgo, longAgo, "drain-complete");
    TransitionHistory.Entry told =
        new TransitionHistory.Entry("uncordon-n", "2", "t", "Failed", NOW, NOW, "nobody answers");
    RecordedEvent event =
        new RecordedEvent(
            NOW.plusSeconds(1),
            new RecordedEvent.Subject("Node", "", "n", "uid"),
            "LifecycleEventFailed",
            "uncordon-n: nobody answers",
            1);

    List<HistoryStep> steps =
        new Cluster(List.of(), List.of(), List.of(event), List.of(forgotten, told)).whole();

    assertThat(steps)
        .extracting(HistoryStep::what, HistoryStep::story)
        .containsExactly(
            tuple("LifecycleEventSucceeded", "drain-n: drain-complete"),
            tuple("LifecycleEventFailed", "uncordon-n: nobody answers"));
  }
}
