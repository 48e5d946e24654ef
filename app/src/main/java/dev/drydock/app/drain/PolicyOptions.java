package dev.drydock.app.drain;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.decide.DrainPolicy;
import dev.drydock.drain.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.decide.LabelSelector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What a drain may do: the flags of {@code kubectl drain} with their meaning, and some of our own.
 */
final class PolicyOptions {
  enum End {
    fail,
    delete,
    force
  }

  @Option(names = "--force", description = "Let pods go that no controller brings back.")
  private boolean force;

  @Option(names = "--ignore-daemonsets", description = "Leave pods of DaemonSets running.")
  private boolean ignoreDaemonSets;

  @Option(
      names = "--delete-emptydir-data",
      description = "Let pods go whose emptyDir data is lost with them.")
  private boolean deleteEmptyDirData;

  @Option(
      names = "--grace-period",
      paramLabel = "SECONDS",
      defaultValue = "-1",
      description =
          "Replaces the pods' own grace period; negative keeps it. Default: ${DEFAULT-VALUE}.")
  private long gracePeriod;

  @Option(
      names = "--pod-selector",
      paramLabel = "SELECTOR",
      description = "Only pods with these labels have to go.")
  private @Nullable String podSelector;

  @Option(
      names = "--disable-eviction",
      description = "Delete instead of evict: disruption budgets do not count.")
  private boolean disableEviction;

  @Option(
      names = "--skip-wait-for-delete-timeout",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "Do not wait for pods that should have been gone for longer than this. 0: always wait.")
  private long skipWait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "Give up after this time, e.g. 90s or 1h30m. 0s: never.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--wait-for-jobs",
      description = "Let pods of Jobs run to their end instead of evicting them.")
  private boolean waitForJobs;

  @Option(
      names = "--force-after",
      paramLabel = "TIME",
      description = "From this time on, delete pods that may not be evicted, past their budgets.")
  private @Nullable Duration forceAfter;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description = "When the node has to be empty; --at-deadline says what happens then.")
  private @Nullable Duration deadline;

  @Option(
      names = "--at-deadline",
      paramLabel = "fail|delete|force",
      description =
          "fail: give up. delete: delete what remains. force: delete it without grace. Default: fail.")
  private @Nullable End atDeadline;

  DrainPolicy policy() {
    try {
      DrainPolicy.Builder policy =
          DrainPolicy.builder()
              .force(force)
              .daemonSets(ignoreDaemonSets ? DaemonSets.IGNORE : DaemonSets.REFUSE)
              .emptyDirDataMayGo(deleteEmptyDirData)
              .gracePeriodSeconds(gracePeriod)
              .deleteInsteadOfEvict(disableEviction)
              .skipWait(Duration.ofSeconds(skipWait))
              .waitForJobs(waitForJobs);
      if (podSelector != null) {
        policy.podSelector(LabelSelector.parse(podSelector));
      }
      if (forceAfter != null) {
        policy.forceAfter(forceAfter);
      }
      addDeadline(policy);
      return policy.build();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private void addDeadline(DrainPolicy.Builder policy) {
    if (deadline == null) {
      if (atDeadline != null) {
        throw CommandFailure.usage("--at-deadline needs --deadline");
      }
      if (!timeout.isZero()) {
        policy.deadline(timeout, AtDeadline.FAIL);
      }
      return;
    }
    if (!timeout.isZero()) {
      throw CommandFailure.usage("give --timeout or --deadline, not both");
    }
    policy.deadline(
        deadline,
        switch (atDeadline) {
          case delete -> AtDeadline.DELETE;
          case force -> AtDeadline.FORCE_DELETE;
          case fail -> AtDeadline.FAIL;
          case null -> AtDeadline.FAIL;
        });
  }
}
