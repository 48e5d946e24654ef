package dev.drydock.app.status;

import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.util.List;
import java.util.Optional;

/**
 * All that a look at the cluster shows.
 *
 * @param stopped why nothing new begins, if so
 * @param notes what could not be looked at, and why
 */
record StatusSnapshot(
    List<NodeSnapshot> nodes,
    List<NotifyMaintenanceObject> maintenances,
    List<DrainRequestSnapshot> drains,
    Optional<String> stopped,
    List<String> notes) {}
