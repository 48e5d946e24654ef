package dev.drydock.maintenance.control;

import dev.drydock.kube.Kube;

/** What all reconcilers of a process use. */
record ReconcileContext(
    Kube kube,
    MaintenanceController.Settings settings,
    MaintenanceController.Dependencies around,
    MaintenanceCaches caches,
    ClassCaches classes,
    MaintenanceWriter writer,
    NodeWriter nodes,
    MaintenanceEvents events,
    ClassAutomation automation) {}
