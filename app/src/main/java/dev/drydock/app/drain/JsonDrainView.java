package dev.drydock.app.drain;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.Action;
import dev.drydock.drain.decide.Blocker;
import dev.drydock.drain.decide.Decision;
import dev.drydock.drain.decide.PodRef;
import dev.drydock.drain.kube.DrainListener;
import dev.drydock.drain.kube.DrainOutcome;
import dev.drydock.drain.kube.DrainReport;
import java.time.Clock;

/**
 * A JSON object per line for everything that happens. Its field names are part of the interface.
 */
final class JsonDrainView implements DrainView {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Terminal terminal;
  private final Clock clock;

  JsonDrainView(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public DrainListener listener(String node) {
    return new Lines(node);
  }

  @Override
  public void ended(DrainOutcome outcome) {
    print(
        event("ended", outcome.node())
            .put("outcome", outcome.end().toString())
            .put("message", outcome.message())
            .put("seconds", outcome.elapsed().toMillis() / 1000.0));
  }

  @Override
  public void close() {
    terminal.out().flush();
  }

  private ObjectNode event(String what, String node) {
    return JSON.createObjectNode()
        .put("time", clock.instant().toString())
        .put("node", node)
        .put("event", what);
  }

  private synchronized void print(ObjectNode line) {
    terminal.out().println(line);
    terminal.out().flush();
  }

  private final class Lines implements DrainListener {
    private final String node;

    Lines(String node) {
      this.node = node;
    }

    @Override
    public void changed(DrainReport report) {
      Decision decision = report.decision();
      ObjectNode line =
          event("progress", node)
              .put("status", decision.status().toString())
              .put("gone", decision.progress().gone())
              .put("left", decision.progress().remaining())
              .put("stopping", decision.progress().stopping())
              .put("etaAtLeastSeconds", decision.eta().atLeast().toMillis() / 1000.0);
      decision
          .eta()
          .atMost()
          .ifPresent(time -> line.put("etaAtMostSeconds", time.toMillis() / 1000.0));
      ArrayNode blockers = line.putArray("blockers");
      for (Blocker blocker : decision.blockers()) {
        ObjectNode each =
            blockers
                .addObject()
                .put("reason", blocker.reason().camelCase())
                .put("message", blocker.what())
                .put("next", blocker.reason().next());
        ArrayNode pods = each.putArray("pods");
        blocker.pods().forEach(pod -> pods.add(pod.toString()));
      }
      print(line);
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
