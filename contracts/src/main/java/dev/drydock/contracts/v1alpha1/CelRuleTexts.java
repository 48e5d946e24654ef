package dev.drydock.contracts.v1alpha1;

/** CEL rules that several fields share. */
final class CelRuleTexts {
  /**
   * For lists of {@link DomainBudget}: two limits for the same domains would contradict each other.
   */
  static final String ONE_LEVEL_PER_KEY =
      "self.all(a, self.exists_one(b, (has(a.key) ? a.key : '') == (has(b.key) ? b.key : '')))";

  /** Rejects obvious mistakes in a cron schedule; admission checks every field. */
  static final String CRON =
      "self.matches('^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)"
          + "|[^ @][^ ]*( +[^ ]+){4})$')";

  static final String CRON_MESSAGE =
      " must have five fields (minute hour day-of-month month day-of-week) or be @hourly, @daily,"
          + " @weekly, @monthly or @yearly";

  /** A quoted pattern for RFC 3339 timestamps. */
  static final String INSTANT =
      "'^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
          + "(Z|[+-][0-9]{2}:[0-9]{2})$'";

  private CelRuleTexts() {}
}
