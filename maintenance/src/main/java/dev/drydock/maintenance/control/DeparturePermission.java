package dev.drydock.maintenance.control;

import java.util.Optional;

/** Says why a node must not leave service now, and why nothing new may begin at all. */
public interface DeparturePermission {
  DeparturePermission OPEN =
      new DeparturePermission() {
        @Override
        public Optional<String> leave(NotifyMaintenanceObject maintenance) {
          return Optional.empty();
        }

        @Override
        public boolean confirms(NotifyMaintenanceObject maintenance) {
          return true;
        }

        @Override
        public Optional<String> stopped() {
          return Optional.empty();
        }
      };

  /** Why the node of a maintenance must not leave now; empty if it may. */
  Optional<String> leave(NotifyMaintenanceObject maintenance);

  /** Reads from the API server whether the ledger still lets the node leave. */
  boolean confirms(NotifyMaintenanceObject maintenance);

  /** Why nothing new may begin, if so. */
  Optional<String> stopped();
}
