package dev.drydock.maintenance.command;

/** Whether a command really makes what it would make. */
public enum DryRunOption {
  none(""),
  client(" (dry run)"),
  server(" (server dry run)");

  private final String remark;

  DryRunOption(String remark) {
    this.remark = remark;
  }

  /** To be said after what was made. */
  public String remark() {
    return remark;
  }
}
