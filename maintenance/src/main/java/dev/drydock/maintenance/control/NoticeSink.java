package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.NoticeEvent;

/** Where notices are kept until they are delivered. */
public interface NoticeSink {
  /** Drops all notices. */
  NoticeSink NONE = (maintenance, event, completion) -> {};

  /**
   * Returns once the notice is kept safe; twice is like once.
   *
   * @param completion ordinary, unless the event is a completion that was not
   */
  void keep(NotifyMaintenanceObject maintenance, NoticeEvent event, CompletionKind completion);
}
