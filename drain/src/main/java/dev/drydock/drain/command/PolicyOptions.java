package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.OptionalValue;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The drain policy: the flags of {@code kubectl drain} with their meaning, and additional ones. */
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
      description =
          "Also drain pods that no controller recreates, and pods whose DaemonSet is gone.")
  private boolean force;

  @Option(
      names = "--ignore-daemonsets",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description =
          "Ignore pods of DaemonSets; they keep running. Without this flag they make the drain fail.")
  private boolean ignoreDaemonSets;

  @Option(
      names = "--delete-emptydir-data",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description = "Also drain pods with emptyDir volumes, whose data is lost.")
  private boolean deleteEmptyDirData;

  @Option(
      names = "--grace-period",
      paramLabel = "SECONDS",
      defaultValue = "-1",
      description =
          "The grace period of every pod; 0 for none, negative for each pod's own. Default: -1.")
  private long gracePeriod;

  @Option(
      names = "--pod-selector",
      paramLabel = "SELECTOR",
      description = "Drain only pods with these labels, e.g. app=web,tier!=db. Default: all.")
  private @Nullable String podSelector;

  @Option(
      names = {"--requests-resource", "--requesting"},
      paramLabel = "RESOURCE",
      description =
          "Drain only pods with a container that requests this extended resource, e.g. hpe.com/cxi."
              + " Default: all.")
  private @Nullable String requestsResource;

  @Option(
      names = "--disable-eviction",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      paramLabel = "true|false",
      description = "Delete pods instead of evicting them, which bypasses PodDisruptionBudgets.")
  private boolean disableEviction;

  @Option(
      names = "--skip-wait-for-delete-timeout",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "Do not wait for pods whose deletion is overdue by more than this. Default: 0, always wait.")
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
      description =
          "Wait until pods of Jobs finish instead of evicting them, and until jobs have ended that a"
              + " workload manager such as Slurm runs inside pods.")
  private boolean waitForJobs;

  @Option(
      names = "--force-after",
      paramLabel = "TIME",
      description =
          "After this time, delete pods that cannot be evicted because of budgets. Default: never.")
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
          "fail: give up. delete: delete the remaining pods. force: delete them without grace period. Default: fail.")
  private @Nullable End atDeadline;

  /** The policy of a drain that starts now. */
  public DrainPolicy policy() {
    return policy(Duration.ZERO);
  }

  /** The engine counts deadlines from when the holder took its hold; a user means from now on. */
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
      if (requestsResource != null) {
        policy.requestsResource(requestsResource);
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

  /** The policy of a DrainRequest. */
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
        policy.forceAfter().map(PolicyOptions::seconds).orElse(null),
        requestsResource);
  }

  /** Rounded up, so that no time is shortened. */
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
      throw CommandFailure.usage("--deadline 0s: use a longer time, or leave the flag out");
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
