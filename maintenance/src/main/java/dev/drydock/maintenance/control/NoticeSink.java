package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.NoticeEvent;

/** Where notices are kept until they are delivered. */
public interface NoticeSink {
  /** Drops all notices. */
  NoticeSink NONE = (maintenance, event, cancelled) -> {};

  /**
   * Returns once the notice is kept safe; twice is like once.
   *
   * @param cancelled the maintenance was given up before the node was empty
   */
  void keep(NotifyMaintenanceObject maintenance, NoticeEvent event, boolean cancelled);
}
