package dev.drydock.edge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.edge.decide.ClusterConfig;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.EdgeSettings;
import dev.drydock.edge.decide.ForcedStatus;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.NodeDrainStatus;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exact names, numbers and paths. */
class EdgeRecordsTest {
  @Test
  void recordsHaveEvesNamesAndNumbers() {
    assertThat(
            EdgeRecords.write(
                new NodeDrainRequest(
                    Instant.parse("2024-09-05T04:45:30.990123456Z"),
                    DrainRequester.DEVICEOP,
                    "reboot")))
        .isEqualTo(
            "{\"RequestedAt\":\"2024-09-05T04:45:30.990123456Z\",\"RequestedBy\":2,\"Context\":\"reboot\"}");
    assertThat(
            EdgeRecords.write(new NodeDrainStatus(NodeDrainState.COMPLETE, DrainRequester.UPDATE)))
        .isEqualTo("{\"Status\":9,\"RequestedBy\":3}");
    assertThat(EdgeRecords.nodeAgentStatus(true, false, false, false, false))
        .contains("\"WaitDrainInProgress\":true", "\"HVTypeKube\":true");
  }

  @Test
  void whatGoWritesIsRead() throws RecordUnreadable {
    assertThat(
            EdgeRecords.request(
                "{\"RequestedAt\":\"2024-09-05T06:45:30.5+02:00\",\"RequestedBy\":3,\"Context\":\"i\"}",
                DrainRequester.UPDATE))
        .isEqualTo(
            new NodeDrainRequest(
                Instant.parse("2024-09-05T04:45:30.5Z"), DrainRequester.UPDATE, "i"));
    assertThat(
            EdgeRecords.request(
                    "{\"RequestedAt\":\"0001-01-01T00:00:00Z\",\"RequestedBy\":2,\"Context\":\"\"}",
                    DrainRequester.DEVICEOP)
                .hasTime())
        .as("a time that nobody set")
        .isFalse();
    assertThat(EdgeRecords.forced("{\"Status\":1,\"RequestedBy\":1}"))
        .isEqualTo(new ForcedStatus(NodeDrainState.NOTSUPPORTED, DrainRequester.NONE));
    assertThat(
            EdgeRecords.clusterConfig(
                "{\"Initialized\":true,\"Valid\":true,\"ClusterName\":\"c\",\"TieBreakerNodeID\":{\"UUID\":\"u\"}}"))
        .isEqualTo(new ClusterConfig(true, true, "u"));
    assertThat(
            EdgeSettings.of(
                EdgeRecords.numbers(
                    EdgeRecords.settings(
                        "{\"GlobalSettings\":{\"kubernetes.drain.timeout\":{\"Key\":\"k\",\"IntValue\":3,\"StrValue\":\"\"}}}"))))
        .isEqualTo(EdgeSettings.of(Map.of("kubernetes.drain.timeout", 3L)));
    assertThat(EdgeRecords.numbers(EdgeRecords.settings("{\"timer.config.interval\":30}")))
        .containsEntry("timer.config.interval", 30L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "garbage",
        "[]",
        "{}",
        "{\"Status\":9}",
        "{\"Status\":10,\"RequestedBy\":1}",
        "{\"Status\":9,\"RequestedBy\":0}",
        "{\"Status\":\"9\",\"RequestedBy\":1}",
        "{\"Status\":9.5,\"RequestedBy\":1}"
      })
  void whatIsNoStatusIsRefused(String text) {
    assertThatThrownBy(() -> EdgeRecords.forced(text)).isInstanceOf(RecordUnreadable.class);
  }

  @Test
  void pathsAreEves() {
    EdgePaths paths = new EdgePaths(Path.of("/run"), Path.of("/persist"), Path.of("/tmp"));
    assertThat(paths.request(DrainRequester.DEVICEOP))
        .hasToString("/run/zedagent/NodeDrainRequest/global.json");
    assertThat(paths.request(DrainRequester.UPDATE))
        .hasToString("/run/baseosmgr/NodeDrainRequest/global.json");
    assertThat(paths.status()).hasToString("/run/zedkube/NodeDrainStatus/global.json");
    assertThat(paths.nodeAgentStatus())
        .hasToString("/run/nodeagent/NodeAgentStatus/nodeagent.json");
    assertThat(paths.clusterConfig())
        .hasToString("/run/zedagent/EdgeNodeClusterConfig/global.json");
    assertThat(paths.configItems()).hasToString("/run/zedagent/ConfigItemValueMap/global.json");
    assertThat(paths.force().stream().map(Path::toString))
        .containsExactly(
            "/persist/kube-status/force-NodeDrainStatus-global.json",
            "/tmp/force-NodeDrainStatus-global.json");
    assertThat(paths.faultInjection()).hasToString("/tmp/DrainStatus_FaultInjection_Wait");
  }

  @Test
  void whatTheAgentRemembersComesBack() throws RecordUnreadable {
    Instant now = Instant.parse("2026-01-01T00:00:00.123Z");
    for (EdgeDrain.Phase phase : EdgeDrain.Phase.values()) {
      for (NodeDrainState state : NodeDrainState.values()) {
        EdgeDrain drain =
            new EdgeDrain(
                state,
                phase,
                Map.of(
                    DrainRequester.UPDATE,
                    new NodeDrainRequest(now, DrainRequester.UPDATE, "image")),
                EdgeSettings.DEFAULT,
                now,
                now.plusSeconds(1),
                3,
                Optional.of(now),
                true,
                Set.of(DrainRequester.DEVICEOP),
                Optional.of(EdgeDrain.Ending.NO_PEER),
                true,
                true,
                "why");
        StoredDrain stored = new StoredDrain(drain, "boot", drain.served());

        assertThat(StoredDrain.read(stored.write())).isEqualTo(stored);
      }
    }
    StoredDrain first = new StoredDrain(EdgeDrain.atStart(now), "boot", Map.of());
    assertThat(StoredDrain.read(first.write())).isEqualTo(first);
    assertThat(StoredDrain.read(maybeHeld(now).write()).drain().mayBeHeld())
        .as("a hold whose answer was lost is not forgotten")
        .isTrue();
    assertThatThrownBy(() -> StoredDrain.read("{\"state\":\"NEWER\"}"))
        .isInstanceOf(RecordUnreadable.class);
  }

  /** Its cordon was asked for and not answered. */
  private static StoredDrain maybeHeld(Instant now) {
    EdgeDrain drain =
        new EdgeDrain(
            NodeDrainState.STARTING,
            EdgeDrain.Phase.PROBING,
            Map.of(),
            EdgeSettings.DEFAULT,
            now,
            now,
            0,
            Optional.empty(),
            true,
            Set.of(),
            Optional.empty(),
            false,
            false,
            "");
    return new StoredDrain(drain, "boot", Map.of());
  }

  @Test
  void anOperationComesBack() throws RecordUnreadable {
    DeferredOperation operation =
        new DeferredOperation(
            EdgeOperation.UPDATE,
            DeferredOperation.State.DEFERRED,
            Instant.parse("2026-01-01T00:00:00.123Z"),
            "boot",
            "image \"1\"",
            List.of("rauc", "install", "a b"),
            "waits");
    assertThat(StoredOperation.read(StoredOperation.write(operation))).isEqualTo(operation);
    assertThatThrownBy(() -> StoredOperation.read("{\"operation\":\"explode\"}"))
        .isInstanceOf(RecordUnreadable.class);
  }

  @Test
  void theLastFiftyDrainsAreKept() {
    DrainHistory history = DrainHistory.read("not a history");
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    for (int i = 0; i < 60; i++) {
      NodeDrainRequest request =
          new NodeDrainRequest(now.plusSeconds(i), DrainRequester.DEVICEOP, "reboot " + i);
      EdgeDrain drain = ended(request);
      history = DrainHistory.read(history.with(drain).with(drain).write());
    }
    assertThat(history.entries()).hasSize(50);
    assertThat(history.entries().getFirst().forWhat()).isEqualTo("reboot 10");
    assertThat(history.entries().getLast().forWhat()).isEqualTo("reboot 59");
  }

  private static EdgeDrain ended(NodeDrainRequest request) {
    return new EdgeDrain(
        NodeDrainState.COMPLETE,
        EdgeDrain.Phase.ENDED,
        Map.of(request.requestedBy(), request),
        EdgeSettings.DEFAULT,
        request.requestedAt(),
        request.requestedAt(),
        1,
        Optional.empty(),
        false,
        Set.of(),
        Optional.of(EdgeDrain.Ending.DRAINED),
        false,
        false,
        "");
  }
}
