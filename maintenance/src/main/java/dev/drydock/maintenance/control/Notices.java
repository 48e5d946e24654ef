package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.NoticeEvent;

/** Where notices are kept until they are delivered. */
public interface Notices {
  /** For a cluster in which nobody wants to be told. */
  Notices NONE = (maintenance, event, cancelled) -> {};

  /**
   * Returns once the notice is kept safe; twice is like once.
   *
   * @param cancelled the maintenance was given up before the node was empty
   */
  void keep(MaintenanceSeen maintenance, NoticeEvent event, boolean cancelled);
}
