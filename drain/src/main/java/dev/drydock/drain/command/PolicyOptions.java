package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.OptionalValue;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.engine.decide.LabelSelector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What a drain may do: the flags of {@code kubectl drain} with their meaning, and some of our own.
 */
public final class PolicyOptions {
  enum End {
    fail,
    delete,
    force
  }

  @Option(
      names = "--force",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description = "Let pods go that no controller brings back, and pods whose DaemonSet is gone.")
  private boolean force;

  @Option(
      names = "--ignore-daemonsets",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description =
          "Leave pods of DaemonSets running. Without it they stop the drain before it starts.")
  private boolean ignoreDaemonSets;

  @Option(
      names = "--delete-emptydir-data",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description = "Let pods go whose emptyDir data is lost with them.")
  private boolean deleteEmptyDirData;

  @Option(
      names = "--grace-period",
      paramLabel = "SECONDS",
      defaultValue = "-1",
      description =
          "Time to stop for every pod; 0 is at once, negative is each pod's own. Default: -1.")
  private long gracePeriod;

  @Option(
      names = "--pod-selector",
      paramLabel = "SELECTOR",
      description = "Only pods with these labels have to go, e.g. app=web,tier!=db. Default: all.")
  private @Nullable String podSelector;

  @Option(
      names = "--disable-eviction",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description = "Delete instead of evict: disruption budgets do not count.")
  private boolean disableEviction;

  @Option(
      names = "--skip-wait-for-delete-timeout",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "Do not wait for pods that should have been gone for longer than this. Default: 0, always wait.")
  private long skipWait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "Give up on a node after this time, e.g. 90s or 1h30m. Default: 0s, never.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--wait-for-jobs",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description = "Let pods of Jobs run to their end instead of evicting them.")
  private boolean waitForJobs;

  @Option(
      names = "--force-after",
      paramLabel = "TIME",
      description =
          "After this time, delete pods that budgets keep from being evicted. Default: never.")
  private @Nullable Duration forceAfter;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description =
          "When a node has to be empty, e.g. 2h; --at-deadline says what happens then. Default: none.")
  private @Nullable Duration deadline;

  @Option(
      names = "--at-deadline",
      paramLabel = "fail|delete|force",
      description =
          "fail: give up. delete: delete what remains. force: delete it without grace. Default: fail.")
  private @Nullable End atDeadline;

  /** For a drain that begins now. */
  public DrainPolicy policy() {
    return policy(Duration.ZERO);
  }

  /**
   * The engine counts from the moment since when the holder holds the node; whoever types a time
   * means from now on.
   */
  DrainPolicy policy(Duration alreadyHeld) {
    try {
      DrainPolicy.Builder policy =
          DrainPolicy.builder()
              .force(force)
              .daemonSets(ignoreDaemonSets ? DaemonSets.IGNORE : DaemonSets.REFUSE)
              .emptyDirDataMayGo(deleteEmptyDirData)
              .gracePeriodSeconds(gracePeriod)
              .deleteInsteadOfEvict(disableEviction)
              .skipWait(Duration.ofSeconds(Math.max(0, skipWait)))
              .waitForJobs(waitForJobs);
      if (podSelector != null) {
        policy.podSelector(LabelSelector.parse(podSelector));
      }
      if (forceAfter != null) {
        policy.forceAfter(forceAfter.plus(alreadyHeld));
      }
      addDeadline(policy, alreadyHeld);
      return policy.build();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  /** The same for a DrainRequest. */
  Policy forRequest() {
    DrainPolicy policy = policy();
    return new Policy(
        force,
        ignoreDaemonSets,
        deleteEmptyDirData,
        disableEviction,
        waitForJobs,
        policy.gracePeriod().map(PolicyOptions::seconds).orElse(null),
        podSelector,
        policy.skipWait().map(PolicyOptions::seconds).orElse(null),
        policy.deadline().map(PolicyOptions::seconds).orElse(null),
        policy.deadline().isEmpty()
            ? null
            : switch (policy.atDeadline()) {
              case FAIL -> DrainRequestSpec.AtDeadline.Fail;
              case DELETE -> DrainRequestSpec.AtDeadline.Delete;
              case FORCE_DELETE -> DrainRequestSpec.AtDeadline.ForceDelete;
            },
        policy.forceAfter().map(PolicyOptions::seconds).orElse(null));
  }

  /** Rounded up: no time is cut short. */
  private static Integer seconds(Duration time) {
    return Math.toIntExact(time.plusMillis(999).toSeconds());
  }

  private void addDeadline(DrainPolicy.Builder policy, Duration alreadyHeld) {
    if (deadline == null) {
      if (atDeadline != null) {
        throw CommandFailure.usage("--at-deadline needs --deadline");
      }
      if (!timeout.isZero()) {
        policy.deadline(timeout.plus(alreadyHeld), AtDeadline.FAIL);
      }
      return;
    }
    if (!timeout.isZero()) {
      throw CommandFailure.usage("give --timeout or --deadline, not both");
    }
    if (deadline.isZero()) {
      throw CommandFailure.usage("--deadline 0s: use a longer time, or leave it out for none");
    }
    policy.deadline(
        deadline.plus(alreadyHeld),
        switch (atDeadline) {
          case delete -> AtDeadline.DELETE;
          case force -> AtDeadline.FORCE_DELETE;
          case fail -> AtDeadline.FAIL;
          case null -> AtDeadline.FAIL;
        });
  }
}
