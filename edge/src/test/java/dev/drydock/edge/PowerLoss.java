package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.EdgeSettings;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.kube.Json;
import dev.drydock.kube.RequestInterceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A machine loses its power in any state of its drain. An update that waited is installed once
 * after the boot; a reboot has happened, whatever caused it, and the node is back.
 */
final class PowerLoss {
  /** Those that a drain is seen in. */
  static final List<NodeDrainState> STATES =
      List.of(
          NodeDrainState.NOTREQUESTED,
          NodeDrainState.REQUESTED,
          NodeDrainState.STARTING,
          NodeDrainState.CORDONED,
          NodeDrainState.FAILEDCORDON,
          NodeDrainState.DRAINRETRYING,
          NodeDrainState.FAILEDDRAIN,
          NodeDrainState.COMPLETE);

  private final EdgeFixture edge;
  private final NodeDrainState state;

  private PowerLoss(EdgeFixture edge, NodeDrainState state) {
    this.edge = edge;
    this.state = state;
  }

  /**
   * @param keepsRun whether {@code /run} is still there after the boot
   */
  static void at(
      EdgeFixture edge, NodeDrainState state, EdgeOperation operation, boolean keepsRun) {
    PowerLoss loss = new PowerLoss(edge, state);
    String pod = "lost-%s-%d-%s".formatted(operation.word(), state.number(), keepsRun);
    edge.reboot(false);
    edge.commands.clear();
    edge.runPod(pod);
    edge.ask(operation, operation.word(), operation.word());
    loss.prepare(pod);
    DeathAtStatus files = new DeathAtStatus(edge.paths, state);
    edge.start(RequestInterceptor.NONE, files);
    edge.eventually().until(files::isDead);
    assertThat(edge.commands).as("nothing runs before its drain is complete").isEmpty();
    loss.repair(pod);

    edge.reboot(keepsRun).start();

    String when = "lost at %s, /run %s".formatted(state, keepsRun ? "kept" : "wiped");
    if (operation == EdgeOperation.UPDATE) {
      edge.eventually()
          .untilAsserted(() -> assertThat(edge.commands).as(when).containsExactly("update"));
      assertThat(edge.hasPod(pod)).as(when).isFalse();
      assertThat(edge.isCordoned(edge.node)).as(when).isTrue();
      edge.reboot(false).start();
    }
    edge.eventually()
        .untilAsserted(() -> assertThat(edge.isCordoned(edge.node)).as(when).isFalse());
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.eventually().untilAsserted(() -> assertThat(edge.operation(operation)).as(when).isEmpty());
    assertThat(edge.commands).as(when).hasSize(operation == EdgeOperation.UPDATE ? 1 : 0);
    edge.kill();
    var _ = edge.cluster.client().pods().inNamespace("default").withName(pod).delete();
    edge.eventually().until(() -> !edge.hasPod(pod));
  }

  /** What makes the drain come to the state and no further. */
  private void prepare(String pod) {
    switch (state) {
      case FAILEDCORDON -> annotate("damaged");
      case DRAINRETRYING, FAILEDDRAIN -> {
        edge.budget(pod);
        edge.start();
        edge.eventually().until(() -> Files.readString(edge.paths.progress()).contains(pod));
        edge.kill();
        shorten(state == NodeDrainState.FAILEDDRAIN ? EdgeSettings.DRAIN_ATTEMPTS : 1);
      }
      default -> {}
    }
  }

  private void repair(String pod) {
    switch (state) {
      case FAILEDCORDON -> annotate(null);
      case DRAINRETRYING, FAILEDDRAIN -> edge.removeBudget(pod);
      default -> {}
    }
  }

  private void annotate(@Nullable String holds) {
    edge.cluster
        .client()
        .nodes()
        .withName(edge.node)
        .edit(
            node -> {
              Map<String, String> annotations = node.getMetadata().getAnnotations();
              if (holds == null) {
                annotations.remove(HoldsAnnotation.NAME);
              } else {
                annotations.put(HoldsAnnotation.NAME, holds);
              }
              return node;
            });
  }

  /** The attempt under way is this one, and has little time: no setting is below an hour. */
  private void shorten(int attempt) {
    try {
      ObjectNode stored = (ObjectNode) Json.read(Files.readString(edge.paths.drain()));
      stored.put("tries", attempt);
      ((ObjectNode) stored.path("settings")).put("drainTimeout", "PT20S");
      edge.publish(edge.paths.drain(), stored.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
