package dev.drydock.health.remediation.decide;

/** What is told about an attempt when it is written down, for people and metrics. */
public record RemediationNote(Kind kind, RemediationAttempt attempt) {
  /** A closed set, which Events have as their reason. */
  public enum Kind {
    STARTED("RemediationStarted", false),
    DONE("RemediationDone", false),
    FAILED("RemediationFailed", true),
    GONE("RemediationGone", true),
    UNSERVED("RemediationUnserved", true),
    RECOVERED("RemediationRecovered", false),
    CANCELLED("RemediationCancelled", false);

    private final String reason;
    private final boolean warning;

    Kind(String reason, boolean warning) {
      this.reason = reason;
      this.warning = warning;
    }

    public String reason() {
      return reason;
    }

    public boolean isWarning() {
      return warning;
    }
  }
}
