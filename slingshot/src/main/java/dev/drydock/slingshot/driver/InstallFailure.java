package dev.drydock.slingshot.driver;

import dev.drydock.contracts.ShortText;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.slingshot.driver.decide.DriverWork;
import dev.drydock.slingshot.driver.decide.FailureReason;
import java.util.List;

/** A driver could not be installed or loaded. */
final class InstallFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private static final int LOG_LINES = 40;
  private static final int LOG_COLUMNS = 240;

  private final FailureReason reason;
  private final transient List<String> log;

  InstallFailure(FailureReason reason, String line) {
    this(reason, line, List.of());
  }

  /**
   * @param log what the tool said, of which the end is kept
   */
  InstallFailure(FailureReason reason, String line, List<String> log) {
    super(line);
    this.reason = reason;
    this.log =
        log.subList(Math.max(0, log.size() - LOG_LINES), log.size()).stream()
            .map(each -> ShortText.of(each, LOG_COLUMNS))
            .toList();
  }

  FailureReason reason() {
    return reason;
  }

  /**
   * @param step at which it happened
   */
  DriverWork.Failure at(String step) {
    return new DriverWork.Failure(reason, step, getMessage(), log);
  }
}
