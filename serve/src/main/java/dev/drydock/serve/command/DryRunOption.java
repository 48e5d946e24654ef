package dev.drydock.serve.command;

/** The values of --dry-run. */
public enum DryRunOption {
  none(""),
  client(" (dry run)"),
  server(" (server dry run)");

  private final String remark;

  DryRunOption(String remark) {
    this.remark = remark;
  }

  /** The suffix of the output line. */
  public String remark() {
    return remark;
  }
}
