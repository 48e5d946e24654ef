package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DeferredOperation.State;
import dev.drydock.edge.decide.EdgeDrain.Phase;
import dev.drydock.edge.decide.EdgeInput.AttemptView;
import dev.drydock.edge.decide.OperationInput.LastCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The decisions as tables: all statuses, operations, requesters and failures. The documentation has
 * the same; {@code -Dtables.write=true} writes it.
 */
class DecisionTablesTest {
  private static final Path PAGE = Path.of("..", "docs", "edge-decisions.md");
  private static final Instant NOW = TestEdgeDrain.START;
  private static final Duration SKIP = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void theDocumentationHasTheSameTables() throws IOException {
    String page = page();
    if (Boolean.getBoolean("tables.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("run this test with -Dtables.write=true, and read what changed")
        .isEqualTo(page);
  }

  private static String page() {
    return """
    # Decisions at the edge

    Every case that [the edge](edge.md) decides, as the code decides it. A test computes these tables and fails if they differ.

    ## What an operation does

    By the drain's status. The same for reboot, shutdown, poweroff and a shutdown by logind; an OS update differs only where
    a cell says so.

    %s
    *go*: the command runs. *defer*: it waits for the drain, and asks for one if nobody has. *keep*: the drain failed; it
    waits for a person, and its request is withdrawn. *check*: the cluster is looked at first. *wait*: nothing is decided
    yet. *drop*: it is forgotten, because the machine has been restarted.

    ## What a drain does

    The number of the status that follows; a dot if it stays, a dash if it cannot happen there. Phases of a status have
    columns of their own. The same for requests of device operations and of OS updates.

    %s
    Numbers: %s.
    """
        .formatted(operations(), drains(), numbers());
  }

  private static String numbers() {
    return List.of(NodeDrainState.values()).stream()
        .map(state -> state.number() + " " + state)
        .collect(Collectors.joining(", "));
  }

  /** What an operation may find besides the status. */
  private record Situation(
      String title, State state, String boot, Consumer<SituationInput> change) {}

  private static final class SituationInput {
    private Optional<LastCheck> check =
        Optional.of(new LastCheck(NOW, Optional.empty(), Optional.empty()));
    private boolean needsCheck = true;
    private boolean otherStarted;
    private boolean addressed = true;
    private Duration unknownFor = Duration.ZERO;
  }

  private static LastCheck unreachableSince(Duration time) {
    return new LastCheck(NOW, Optional.empty(), Optional.of(NOW.minus(time)));
  }

  private static List<Situation> situations() {
    return List.of(
        new Situation("asked now", State.ASKED, "boot", _ -> {}),
        new Situation("deferred before", State.DEFERRED, "boot", _ -> {}),
        new Situation(
            "... not looked at the cluster",
            State.DEFERRED,
            "boot",
            in -> in.check = Optional.empty()),
        new Situation(
            "... last replica here, or no quorum without it",
            State.DEFERRED,
            "boot",
            in -> in.check = Optional.of(new LastCheck(NOW, Optional.of("v"), Optional.empty()))),
        new Situation(
            "... API server unreachable",
            State.DEFERRED,
            "boot",
            in -> in.check = Optional.of(unreachableSince(SKIP.minusSeconds(1)))),
        new Situation(
            "... for the whole timeout",
            State.DEFERRED,
            "boot",
            in -> {
              in.check = Optional.of(unreachableSince(SKIP));
              in.unknownFor = PATIENCE;
            }),
        new Situation(
            "... forced, or last check off",
            State.DEFERRED,
            "boot",
            in -> {
              in.needsCheck = false;
              in.check = Optional.empty();
            }),
        new Situation(
            "... another has begun", State.DEFERRED, "boot", in -> in.otherStarted = true),
        new Situation("its drain failed before", State.KEPT, "boot", _ -> {}),
        new Situation(
            "... and this drain is for another requester",
            State.KEPT,
            "boot",
            in -> in.addressed = false),
        new Situation("agent restarted while it ran", State.STARTED, "boot", _ -> {}),
        new Situation("machine restarted since", State.DEFERRED, "earlier boot", _ -> {}));
  }

  private static String operations() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("Status"));
    situations().forEach(situation -> head.add(situation.title()));
    rows.add(head);
    for (NodeDrainState status : NodeDrainState.values()) {
      List<String> row = new ArrayList<>(List.of(status.number() + " " + status));
      for (Situation situation : situations()) {
        Set<String> device =
            EnumSet.complementOf(EnumSet.of(EdgeOperation.UPDATE)).stream()
                .map(each -> word(each, status, situation))
                .collect(Collectors.toSet());
        assertThat(device).as("%s %s", status, situation.title()).hasSize(1);
        String word = device.iterator().next();
        String update = word(EdgeOperation.UPDATE, status, situation);
        row.add(word.equals(update) ? word : "%s; update: %s".formatted(word, update));
      }
      rows.add(row);
    }
    return table(rows);
  }

  private static String word(EdgeOperation kind, NodeDrainState status, Situation situation) {
    SituationInput in = new SituationInput();
    situation.change().accept(in);
    DeferredOperation operation =
        new DeferredOperation(
            kind, situation.state(), NOW, situation.boot(), kind.word(), List.of(), "");
    OperationStep step =
        OperationDecider.decide(
            operation,
            new OperationInput(
                status,
                in.addressed,
                in.unknownFor,
                PATIENCE,
                in.needsCheck && status == NodeDrainState.COMPLETE,
                in.check,
                false,
                in.otherStarted,
                "boot",
                NOW),
            SKIP);
    return switch (step) {
      case OperationStep.Run _ -> "go";
      case OperationStep.Defer _ -> "defer";
      case OperationStep.Keep _ -> "keep";
      case OperationStep.Check _ -> "check";
      case OperationStep.Drop _ -> "drop";
      case OperationStep.Interrupted _ -> "failed";
      case OperationStep.Wait(DeferredOperation next, Instant _) ->
          next.bootId().equals(operation.bootId()) ? "wait" : "asked again";
    };
  }

  /** A drain in a status and phase, for one requester. */
  private static TestEdgeDrain at(NodeDrainState status, Phase phase, DrainRequester by) {
    TestEdgeDrain edge = new TestEdgeDrain();
    if (status == NodeDrainState.NOTSUPPORTED) {
      edge.clustered = Optional.of(false);
      return edge.settle();
    }
    edge.settle();
    if (status == NodeDrainState.NOTREQUESTED) {
      return edge;
    }
    edge.requests.put(by, new NodeDrainRequest(edge.now, by, "what"));
    if (status == NodeDrainState.REQUESTED) {
      edge.drain = edge.drain.accepted(edge.requests, edge.settings, edge.now);
      return edge;
    }
    edge.settle();
    if (phase == Phase.PROBING) {
      return edge;
    }
    edge.answer(new ApiResult.Answered());
    if (status == NodeDrainState.FAILEDCORDON) {
      for (int i = 1; i < EdgeSettings.CORDON_TRIES; i++) {
        edge.fails(403).pass(EdgeSettings.BETWEEN_TRIES);
      }
      return edge.fails(403);
    }
    if (phase == Phase.CORDONING) {
      return edge;
    }
    edge.answer(new ApiResult.Cordoned(edge.now));
    if (phase == Phase.DETECTING) {
      return edge;
    }
    edge.answer(TestEdgeDrain.peers(true, StorageView.NONE));
    if (status == NodeDrainState.CORDONED) {
      return edge;
    }
    if (status == NodeDrainState.COMPLETE) {
      return edge.ends(new AttemptView.Done());
    }
    int attempts = status == NodeDrainState.FAILEDDRAIN ? EdgeSettings.DRAIN_ATTEMPTS : 1;
    for (int i = 1; i <= attempts; i++) {
      edge.ends(new AttemptView.Failed("budget"));
      edge.answer(TestEdgeDrain.peers(true, StorageView.NONE));
      if (i < attempts || phase == Phase.DRAINING) {
        edge.pass(EdgeSettings.BETWEEN_ATTEMPTS);
      }
    }
    return edge;
  }

  private record Column(String title, NodeDrainState status, Phase phase) {}

  private static List<Column> columns() {
    return List.of(
        new Column("1", NodeDrainState.NOTSUPPORTED, Phase.IDLE),
        new Column("2", NodeDrainState.NOTREQUESTED, Phase.IDLE),
        new Column("3", NodeDrainState.REQUESTED, Phase.ACCEPTED),
        new Column("4 probing", NodeDrainState.STARTING, Phase.PROBING),
        new Column("4 cordoning", NodeDrainState.STARTING, Phase.CORDONING),
        new Column("5 looking for peers", NodeDrainState.CORDONED, Phase.DETECTING),
        new Column("5 draining", NodeDrainState.CORDONED, Phase.DRAINING),
        new Column("6", NodeDrainState.FAILEDCORDON, Phase.ENDED),
        new Column("7 pausing", NodeDrainState.DRAINRETRYING, Phase.PAUSING),
        new Column("7 draining", NodeDrainState.DRAINRETRYING, Phase.DRAINING),
        new Column("8", NodeDrainState.FAILEDDRAIN, Phase.ENDED),
        new Column("9", NodeDrainState.COMPLETE, Phase.ENDED));
  }

  /** Something that happens; false if it cannot in this state. */
  @FunctionalInterface
  private interface Event {
    boolean happen(TestEdgeDrain edge, DrainRequester by);
  }

  private static DrainRequester other(DrainRequester by) {
    return by == DrainRequester.DEVICEOP ? DrainRequester.UPDATE : DrainRequester.DEVICEOP;
  }

  private static Event force(NodeDrainState status, int whom) {
    return (edge, by) -> {
      DrainRequester addressed =
          switch (whom) {
            case 1 -> DrainRequester.NONE;
            case 2 -> by;
            default -> other(by);
          };
      edge.force = Optional.of(new ForcedStatus(status, addressed));
      edge.settle();
      return true;
    };
  }

  private static Event answer(ApiAction to, ApiResult result) {
    return (edge, _) -> edge.asked == to && edge.answer(result) != null;
  }

  private static List<Event> fails(List<Integer> codes, boolean longEnough) {
    return codes.stream().map(code -> fails(code, longEnough)).toList();
  }

  private static Event fails(int code, boolean longEnough) {
    return (edge, _) -> {
      if (edge.asked == null) {
        return false;
      }
      edge.now = longEnough ? edge.now.plus(SKIP) : edge.now;
      return edge.fails(code) != null;
    };
  }

  private static Event refusedTenTimes(int code) {
    return (edge, _) -> {
      if (edge.asked != ApiAction.CORDON) {
        return false;
      }
      for (int i = 1; i < EdgeSettings.CORDON_TRIES; i++) {
        edge.fails(code).pass(EdgeSettings.BETWEEN_TRIES);
      }
      return edge.fails(code) != null;
    };
  }

  /** The attempts that are left, with a pause after each. */
  private static Event failsFiveTimes(AttemptView failed) {
    return (edge, by) -> {
      boolean happened = false;
      while (ends(failed, true, StorageView.NONE).happen(edge, by)) {
        happened = true;
        edge.pass(EdgeSettings.BETWEEN_ATTEMPTS);
      }
      return happened;
    };
  }

  private static Event ends(AttemptView how, boolean peers, StorageView storage) {
    return (edge, _) -> {
      if (!(edge.run instanceof AttemptView.Running)) {
        return false;
      }
      edge.ends(how);
      return edge.asked != ApiAction.CHECK_PEERS
          || edge.answer(TestEdgeDrain.peers(peers, storage)) != null;
    };
  }

  /** Answers that say that the API server cannot be used now; 0 is none. */
  private static final List<Integer> UNREACHABLE = List.of(0, 408, 429, 500, 502, 503, 504);

  private static final List<Integer> REFUSED = List.of(400, 401, 403, 404, 409, 422);

  /** Several that must lead to the same. */
  private static Map<String, List<Event>> events() {
    StorageView last = TestEdgeDrain.lastReplicaOn("a");
    AttemptView failed = new AttemptView.Failed("budget");
    Map<String, List<Event>> events = new LinkedHashMap<>();
    put(events, "a new request", (edge, by) -> edge.request(by, "newer") != null);
    put(events, "a request of the other", (edge, by) -> edge.request(other(by), "other") != null);
    put(
        events,
        "the request is withdrawn",
        (edge, by) -> edge.requests.remove(by) != null && edge.settle() != null);
    put(events, "force 9 for its requester", force(NodeDrainState.COMPLETE, 2));
    put(events, "force 9 for the other", force(NodeDrainState.COMPLETE, 3));
    put(events, "force 9 for everybody", force(NodeDrainState.COMPLETE, 1));
    put(events, "force 1", force(NodeDrainState.NOTSUPPORTED, 1));
    put(
        events,
        "the node leaves its cluster",
        (edge, _) -> {
          edge.clustered = Optional.of(false);
          return edge.settle() != null;
        });
    put(
        events,
        "the node joins a cluster",
        (edge, _) -> {
          edge.clustered = Optional.of(true);
          return edge.settle() != null;
        });
    put(
        events,
        "`drydock edge cancel`",
        (edge, _) -> {
          edge.cancelled = true;
          return edge.settle() != null;
        });
    put(events, "the API server answers", answer(ApiAction.PROBE, new ApiResult.Answered()));
    put(events, "the node is cordoned", answer(ApiAction.CORDON, new ApiResult.Cordoned(NOW)));
    put(
        events,
        "it is another node's turn",
        answer(ApiAction.CORDON, new ApiResult.NotOurTurn("b")));
    events.put("no answer, or 408, 429 or 5xx", fails(UNREACHABLE, false));
    events.put("... for the whole skip timeout", fails(UNREACHABLE, true));
    events.put("a refusal, such as 401, 403, 404 or 409", fails(REFUSED, false));
    events.put("... after the skip timeout", fails(REFUSED, true));
    events.put(
        "... for the tenth time while cordoning",
        REFUSED.stream().map(DecisionTablesTest::refusedTenTimes).toList());
    put(
        events,
        "another node is schedulable",
        answer(ApiAction.CHECK_PEERS, TestEdgeDrain.peers(true, StorageView.NONE)));
    put(
        events,
        "no other node is schedulable",
        answer(ApiAction.CHECK_PEERS, TestEdgeDrain.peers(false, StorageView.NONE)));
    put(events, "... for the whole window", noPeer(StorageView.NONE));
    put(events, "... and the last replica is here", noPeer(last));
    put(events, "... and replicas cannot be read", noPeer(StorageView.unreadable("403")));
    put(events, "the attempt is done", ends(new AttemptView.Done(), true, StorageView.NONE));
    put(events, "the attempt fails", ends(failed, true, StorageView.NONE));
    put(events, "... for the fifth time", failsFiveTimes(failed));
    put(events, "... and no other node is schedulable", ends(failed, false, StorageView.NONE));
    put(events, "... and the last replica is here, too", ends(failed, false, last));
    put(
        events,
        "a person uncordons the node",
        ends(new AttemptView.CalledOff("uncordoned"), true, StorageView.NONE));
    put(events, "five minutes pass", (edge, _) -> edge.pass(Duration.ofMinutes(5)) != null);
    return events;
  }

  private static void put(Map<String, List<Event>> events, String title, Event event) {
    events.put(title, List.of(event));
  }

  private static Event noPeer(StorageView storage) {
    return (edge, _) -> {
      if (edge.asked != ApiAction.CHECK_PEERS) {
        return false;
      }
      edge.now = edge.now.plus(edge.settings.detectionWindow());
      return edge.answer(TestEdgeDrain.peers(false, storage)) != null;
    };
  }

  private static String drains() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("What happens"));
    columns().forEach(column -> head.add(column.title()));
    rows.add(head);
    events()
        .forEach(
            (title, alike) -> {
              List<String> row = new ArrayList<>(List.of(title));
              for (Column column : columns()) {
                Set<String> cells =
                    Set.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE).stream()
                        .flatMap(by -> alike.stream().map(event -> cell(column, event, by)))
                        .collect(Collectors.toSet());
                assertThat(cells).as("%s in %s", title, column.title()).hasSize(1);
                row.add(cells.iterator().next());
              }
              rows.add(row);
            });
    return table(rows);
  }

  private static String cell(Column column, Event event, DrainRequester by) {
    TestEdgeDrain edge = at(column.status(), column.phase(), by);
    assertThat(edge.drain.state()).as(column.title()).isEqualTo(column.status());
    assertThat(edge.drain.phase()).as(column.title()).isEqualTo(column.phase());
    if (!event.happen(edge, by)) {
      return "-";
    }
    NodeDrainState after = edge.drain.stateFor(by);
    return after == column.status() ? "." : String.format(Locale.ROOT, "%d", after.number());
  }

  private static String table(List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---".repeat(rows.get(i).size())).append("|\n");
      }
    }
    return text.toString();
  }
}
