package dev.drydock.app.status;

import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.util.List;
import java.util.Optional;

/**
 * Everything read from the cluster.
 *
 * @param stopped why nothing new may start, if the andon cord is pulled
 * @param notes what could not be read, and why
 */
record StatusSnapshot(
    List<NodeSnapshot> nodes,
    List<NotifyMaintenanceObject> maintenances,
    List<DrainRequestSnapshot> drains,
    Optional<String> stopped,
    List<String> notes) {}
