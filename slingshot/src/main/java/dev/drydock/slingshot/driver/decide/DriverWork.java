package dev.drydock.slingshot.driver.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an agent has done since it started.
 *
 * @param running the task that is under way
 * @param step at which it is, for people
 * @param files the last end of a task that put files in place
 * @param modules the last end of a task that loaded modules
 */
public record DriverWork(
    Optional<DriverTask> running, String step, Optional<Ended> files, Optional<Ended> modules) {
  public static final DriverWork NONE =
      new DriverWork(Optional.empty(), "", Optional.empty(), Optional.empty());

  /**
   * A task that ended.
   *
   * @param failures how often it has failed in a row
   * @param at when it ended
   */
  public record Ended(DriverTask task, Optional<Failure> failure, int failures, Instant at) {}

  /**
   * Why a task failed.
   *
   * @param message one line
   * @param log the last lines of the tool that failed
   */
  public record Failure(FailureReason reason, String step, String message, List<String> log) {}

  Optional<Ended> filesOf(DriverTarget target, String kernel) {
    return files
        .filter(each -> each.task().revision().equals(target.revision()))
        .filter(each -> each.task().kernel().equals(kernel));
  }

  Optional<Failure> loadFailureOf(DriverTarget target) {
    return modules
        .filter(each -> each.task().revision().equals(target.revision()))
        .flatMap(Ended::failure);
  }
}
