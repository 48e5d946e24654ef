package dev.drydock.slingshot.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.Json;
import dev.drydock.serve.feature.StatusEntry;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverUpdateEntryTest {
  private static ObjectNode node(String state) {
    ObjectNode node = Json.object();
    ObjectNode metadata = node.putObject("metadata").put("name", "n1");
    metadata.putObject("labels").put(CxiNames.DRIVER_LABEL, "cxi-driver");
    metadata
        .putObject("annotations")
        .put(CxiNames.UPDATE_STATE, state)
        .put(CxiNames.UPDATE_STARTED_AT, "2026-01-01T00:00:00Z")
        .put(CxiNames.UPDATE_ERROR, "make failed");
    return node;
  }

  @ParameterizedTest
  @CsvSource({
    "installing, its driver agent to install the driver of CXIDriver cxi-driver",
    "verifying, its devices to be healthy with the driver of CXIDriver cxi-driver",
    "rolling-back, its driver agent to go back to the previous driver: make failed",
    "reboot-required, a reboot: modules of the previous CXI driver are in use",
    "failed, a person: the CXI driver could not be updated: make failed"
  })
  void saysWhatTheNodeWaitsFor(String state, String line) {
    StatusEntry entry = Objects.requireNonNull(DriverUpdateEntry.read(node(state)));

    assertThat(entry.node()).isEqualTo("n1");
    assertThat(entry.waits()).isEqualTo(List.of(line));
    assertThat(entry.state()).as("its maintenance says it").isEmpty();
    assertThat(entry.since()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pending", "draining", "done", "rolled-back"})
  void saysNothingWhereNothingIsWaitedFor(String state) {
    assertThat(DriverUpdateEntry.read(node(state))).isNull();
  }

  @Test
  void aTimeThatCannotBeReadHidesNothing() {
    ObjectNode node = node("failed");
    ((ObjectNode) node.path("metadata").path("annotations"))
        .put(CxiNames.UPDATE_STARTED_AT, "yesterday");

    assertThat(Objects.requireNonNull(DriverUpdateEntry.read(node)).since())
        .isEqualTo(Instant.EPOCH);
  }
}
