package dev.drydock.drain.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.PodRef;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** One JSON object per line for each event. The field names are part of the interface. */
final class JsonDrainView implements DrainView {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Terminal terminal;
  private final Clock clock;

  JsonDrainView(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public DrainListener listener(String node, boolean cordonedBefore) {
    return new Lines(node);
  }

  @Override
  public void ended(DrainOutcome outcome, String line) {
    print(
        event("ended", outcome.node())
            .put("outcome", outcome.end().toString())
            .put("message", line)
            .put("seconds", seconds(outcome.elapsed())));
    if (outcome.end() != DrainOutcome.End.DONE) {
      terminal.err().println("error: " + line);
    }
  }

  @Override
  public void close() {}

  private ObjectNode event(String what, String node) {
    return JSON.createObjectNode()
        .put("time", clock.instant().toString())
        .put("node", node)
        .put("event", what);
  }

  private synchronized void print(ObjectNode line) {
    terminal.out().println(line);
  }

  private static boolean looks(Blocker blocker) {
    return blocker.reason() == BlockReason.NOT_OBSERVED;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  private final class Lines implements DrainListener {
    private final String node;
    private final Set<String> warned = new HashSet<>();
    private ObjectNode last = JSON.createObjectNode();

    Lines(String node) {
      this.node = node;
    }

    /** Only relevant changes: an estimate that changes with the clock is not one. */
    @Override
    public synchronized void changed(DrainReport report) {
      Decision decision = report.decision();
      if (last.isEmpty() && decision.blockers().stream().anyMatch(JsonDrainView::looks)) {
        return; // it has not read the state yet
      }
      for (String warning : DrainWarnings.notToldYet(decision, warned)) {
        print(event("warning", node).put("message", warning));
      }
      ObjectNode now = state(decision);
      if (!now.equals(last)) {
        last = now;
        ObjectNode line = event("progress", node).setAll(now.deepCopy());
        line.put("etaAtLeastSeconds", seconds(decision.eta().atLeast()));
        decision.eta().atMost().ifPresent(time -> line.put("etaAtMostSeconds", seconds(time)));
        print(line);
      }
    }

    private static ObjectNode state(Decision decision) {
      ObjectNode state =
          JSON.createObjectNode()
              .put("status", decision.status().toString())
              .put("gone", decision.progress().gone())
              .put("left", decision.progress().remaining())
              .put("stopping", decision.progress().stopping());
      ArrayNode blockers = state.putArray("blockers");
      for (Blocker blocker : decision.blockers()) {
        ObjectNode each =
            blockers
                .addObject()
                .put("reason", blocker.reason().camelCase())
                .put("message", blocker.what())
                .put("next", blocker.next());
        ArrayNode pods = each.putArray("pods");
        blocker.pods().forEach(pod -> pods.add(pod.toString()));
      }
      return state;
    }

    @Override
    public void started(Action action) {
      String kind = action.getClass().getSimpleName();
      ObjectNode line = event("request", node).put("action", kind);
      if (action instanceof Action.OnPod onPod) {
        line.put("pod", onPod.pod().toString()).put("uid", onPod.pod().uid());
      }
      print(line);
    }

    @Override
    public void gone(PodRef pod) {
      print(event("gone", node).put("pod", pod.toString()).put("uid", pod.uid()));
    }
  }
}
