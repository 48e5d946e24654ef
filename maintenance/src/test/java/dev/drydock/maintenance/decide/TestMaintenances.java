package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Maintenances and scenes to begin a test with. */
final class TestMaintenances {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final Duration SLA = Duration.ofHours(5);
  static final MaintenanceInput.Rules RULES = new MaintenanceInput.Rules(SLA, false);
  static final String ID = "fw-17";

  private TestMaintenances() {}

  static NotifyMaintenanceSpec spec(String id) {
    return new NotifyMaintenanceSpec("n1", id, "planned", null, null, null, null);
  }

  static MaintenanceFacts.Identity identity(String name) {
    return new MaintenanceFacts.Identity("ops", name, "uid-" + name, NOW.minusSeconds(60));
  }

  /** Adopted, alive, and with nothing said by anybody. */
  static MaintenanceFacts in(MaintenanceState state) {
    return in(state, ID);
  }

  static MaintenanceFacts in(MaintenanceState state, String id) {
    return new MaintenanceFacts(
        identity("m-" + id),
        spec(id),
        false,
        true,
        true,
        Map.of(),
        state,
        state.hasBegun() ? Optional.of(NOW.plus(SLA)) : Optional.empty(),
        Map.of());
  }

  static MaintenanceFacts deleted(MaintenanceFacts of) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        true,
        of.finalizer(),
        of.labelled(),
        of.annotations(),
        of.state(),
        of.slaExpires(),
        of.conditions());
  }

  static MaintenanceFacts withoutFinalizer(MaintenanceFacts of) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        false,
        of.labelled(),
        of.annotations(),
        of.state(),
        of.slaExpires(),
        of.conditions());
  }

  static MaintenanceFacts annotated(MaintenanceFacts of, Map<String, String> annotations) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        of.finalizer(),
        of.labelled(),
        annotations,
        of.state(),
        of.slaExpires(),
        of.conditions());
  }

  static MaintenanceFacts conditioned(MaintenanceFacts of, Map<String, String> conditions) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        of.finalizer(),
        of.labelled(),
        of.annotations(),
        of.state(),
        of.slaExpires(),
        conditions);
  }

  static MaintenanceFacts due(MaintenanceFacts of, Optional<Instant> slaExpires) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        of.finalizer(),
        of.labelled(),
        of.annotations(),
        of.state(),
        slaExpires,
        of.conditions());
  }

  static MaintenanceFacts terminated(MaintenanceFacts of) {
    return annotated(deleted(of), Map.of(MaintenanceNames.TERMINATED, ""));
  }

  static MaintainedNode node(boolean unschedulable, String... labels) {
    return new MaintainedNode("n1", unschedulable, Set.of(labels));
  }

  static MaintainedNode out() {
    return node(true, MaintenanceNames.label(ID));
  }

  static MaintainedNode back() {
    return node(false, MaintenanceNames.label(ID));
  }

  static MaintenanceInput input(MaintenanceFacts maintenance, MaintainedNode node) {
    return input(maintenance, Optional.of(node), List.of());
  }

  static MaintenanceInput input(
      MaintenanceFacts maintenance, Optional<MaintainedNode> node, List<MaintenanceFacts> others) {
    return new MaintenanceInput(maintenance, node, others, RULES, NOW);
  }
}
