package dev.drydock.maintenance.control;

import java.time.Instant;

/** A step of a maintenance's story that has no write of its own: it is told with the next one. */
record HistoryEntry(MaintenanceEvent what, Instant at, String message) {}
