package dev.drydock.maintenance.control;

import dev.drydock.kube.Kube;
import dev.drydock.maintenance.decide.MaintenanceInput;

/** What all reconcilers of a process use. */
record ReconcileContext(
    Kube kube,
    MaintenanceInput.Rules rules,
    MaintenanceController.Dependencies around,
    MaintenanceCaches caches,
    ClassCaches classes,
    MaintenanceWriter writer,
    NodeWriter nodes,
    MaintenanceEvents events,
    ClassAutomation automation) {}
