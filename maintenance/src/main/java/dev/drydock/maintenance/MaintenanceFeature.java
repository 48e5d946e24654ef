package dev.drydock.maintenance;

import static java.util.Map.entry;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.maintenance.command.MaintenanceHistoryReader;
import dev.drydock.maintenance.command.MaintenanceStatusEntry;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryPhase;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HoldOwner;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.RecordedEvent;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.StatusPart;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;

/** Maintenances of nodes: their classes, campaigns and notices. */
public final class MaintenanceFeature implements Feature {
  @Override
  public String part() {
    return "maintenance";
  }

  @Override
  public String summary() {
    return "carries out maintenances and campaigns, and sends their notices";
  }

  @Override
  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of(NotifyMaintenance.class, MaintenanceClass.class, MaintenanceCampaign.class);
  }

  /** The CRD of the controller that the kind comes from has none of these. */
  @Override
  public Map<Class<? extends CustomResource<?, ?>>, List<String>> neededFields() {
    return Map.of(
        NotifyMaintenance.class,
        List.of(
            "spec.maintenanceClass", "status.history", "status.waitingFor", "status.lastLogLines"),
        MaintenanceCampaign.class,
        List.of("status.ledger"));
  }

  @Override
  public List<Setting<?>> settings() {
    return MaintenanceSettings.ALL;
  }

  @Override
  public List<HoldOwner> holdOwners() {
    return List.of(MaintenanceController.HOLD_OWNER);
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new MaintenanceOperator(context);
  }

  @Override
  public List<StatusPart> status() {
    return List.of(
        new StatusPart(
            NotifyMaintenance.KIND,
            NotifyMaintenanceObject.RESOURCE.all(),
            MaintenanceStatusEntry::read));
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    List<NotifyMaintenanceObject> all =
        reader.list(
            "NotifyMaintenances",
            NotifyMaintenanceObject.RESOURCE.all(),
            NotifyMaintenanceObject::read);
    List<RecordedEvent> events = reader.events("maintenances", NotifyMaintenance.KIND);
    return new MaintenanceHistoryReader(reader.node(), reader.id(), reader.now()).of(all, events);
  }

  @Override
  public Map<String, HistoryPhase> historyPhases() {
    return Map.ofEntries(
        entry("Created", HistoryPhase.CREATED),
        entry(MaintenanceState.SCHEDULED.text(), HistoryPhase.SCHEDULED),
        entry(MaintenanceEvent.MaintenanceStarted.name(), HistoryPhase.STARTED),
        entry(MaintenanceEvent.SLAExpired.name(), HistoryPhase.DEADLINE_PASSED),
        entry(MaintenanceEvent.ObjectsDrained.name(), HistoryPhase.DRAINED),
        entry(MaintenanceEvent.Validating.name(), HistoryPhase.VALIDATING),
        entry(MaintenanceEvent.MaintenanceIncomplete.name(), HistoryPhase.INCOMPLETE),
        entry(MaintenanceEvent.MaintenanceCancelled.name(), HistoryPhase.ENDED),
        entry(MaintenanceEvent.MaintenanceEnded.name(), HistoryPhase.ENDED),
        entry(MaintenanceEvent.MaintenanceComplete.name(), HistoryPhase.COMPLETE),
        entry("Waiting", HistoryPhase.WAITING));
  }
}
