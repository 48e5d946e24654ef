package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MaintenanceWriterTest {
  private final SimulatedCluster sim =
      SimulatedCluster.stepped(
          SimulatedCluster.Settings.defaults(), Instant.parse("2026-01-01T00:00:00Z"));
  private final TestCluster cluster = TestCluster.simulated(sim);
  private final TestProcess process = cluster.process(RequestInterceptor.NONE);

  @BeforeEach
  void define() {
    cluster.define(CrdCatalog.yaml());
    cluster.eventually().until(() -> sim.list(NotifyMaintenance.KIND, "", "").isSuccess());
  }

  @AfterEach
  void close() {
    process.kill();
    cluster.close();
  }

  private NotifyMaintenanceObject created() {
    var maintenance = NotifyMaintenanceObject.RESOURCE.manifest("default", "m");
    maintenance
        .putObject("spec")
        .put("nodeObject", "n-1")
        .put("maintenanceID", "m")
        .put("maintenanceType", "planned");
    assertThat(sim.create(maintenance).code()).isEqualTo(201);
    return NotifyMaintenanceObject.read(
        Objects.requireNonNull(sim.find(NotifyMaintenance.KIND, "default", "m")));
  }

  /** Tenants choose the names of pods and budgets that a maintenance waits for. */
  @Test
  void reasonsThatKeepChangingDoNotMakeTheObjectTooLargeToBeRead() {
    List<HistoryEntry> plan =
        List.of(
            new HistoryEntry(
                MaintenanceEvent.DrainPlanned, Instant.EPOCH, "blocked by: " + "p".repeat(5000)));
    MaintenanceWriter writer = new MaintenanceWriter(process.kube(), _ -> plan);
    NotifyMaintenanceObject seen = created();

    for (int i = 0; i < 120; i++) {
      seen = writer.waits(seen, i + ": budget " + "b".repeat(2000));
    }

    JsonNode history = seen.status().path("history");
    assertThat(history.path(history.size() - 1).path("message").asText())
        .startsWith("119: budget")
        .hasSize(1000);
    assertThat(seen.status().path("waitingFor").asText()).hasSize(1000);
    assertThat(history.size()).isLessThanOrEqualTo(50);
    assertThat(history.toString().length()).isLessThan(24_000);
  }
}
