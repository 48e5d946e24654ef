package dev.drydock.maintenance.decide.campaign;

/** Why no further node leaves, or why one of them does not. */
public enum WaitReason {
  INVALID("Invalid"),
  RECORD_LOST("RecordLost"),
  STOPPED("Stopped"),
  APPROVAL_NEEDED("ApprovalNeeded"),
  ANDON_CORD("AndonCord"),
  PAUSED("Paused"),
  FAILURES("FailuresReached"),
  CANARY_FAILED("CanaryFailed"),
  WINDOW_CLOSED("WindowClosed"),
  NEVER_OPENS("WindowNeverOpens"),
  CANARY_RUNNING("CanaryRunning"),
  CANARY_SOAK("CanarySoak"),
  BATCH_RUNNING("BatchRunning"),
  ZONE_RUNNING("ZoneRunning"),
  BUDGET_FULL("BudgetFull"),
  NODE_BUSY("NodeBusy"),
  NODE_CANNOT_DRAIN("NodeCannotDrain"),
  NODE_NOT_READY("NodeNotReady"),
  NODE_KEPT_OUT("NodeKeptOut"),
  NO_NODES("NoNodes");

  private final String word;

  WaitReason(String word) {
    this.word = word;
  }

  /** The value in the status. */
  public String word() {
    return word;
  }
}
