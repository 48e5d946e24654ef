package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.MaintenanceEvent;
import java.time.Instant;

/**
 * A step in a maintenance's history that has no write of its own: it is written with the next one.
 */
record HistoryEntry(MaintenanceEvent what, Instant at, String message) {}
